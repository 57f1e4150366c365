"""Parts of a spec in words: metrics, break-downs, members, thresholds, order. Titles and questions are made of them."""

from collections.abc import Iterable

from babel.lists import format_list

from agent.values.result import ResultColumn
from agent.values.spec import Calculation, MemberFilter, OrderBy, QuerySpec, Threshold
from agent.wording.numbers import write_cell
from agent.wording.texts import say
from semantic_catalog.model import DimensionName, Domain, Locale, MetricName

_SIGNS = {">": ">", ">=": "≥", "<": "<", "<=": "≤", "=": "="}
_NAMED_MEMBERS = 3


def metrics_said(spec: QuerySpec, domain: Domain, locale: Locale) -> str:
    """The metrics and what is calculated of them: 'Approval rate and average ticket', 'Share of processed amount'."""
    names = [domain.metric(name).names.in_locale(locale) for name in spec.metrics]
    subject = joined((*names[:1], *map(first_lower, names[1:])), locale)
    kind = spec.calculation.kind if spec.calculation else None
    match kind:
        case None:
            return subject
        case "count_members":
            return _counted(spec, domain, locale)
        case "rank" if spec.keeps_few:
            return subject
        case _:
            return say(locale, f"receipt.title_{kind}", metric=first_lower(subject))


def split_said(spec: QuerySpec, domain: Domain, locale: Locale) -> str:
    """'by month and by channel'; empty for a single figure."""
    time = (say(locale, f"receipt.by_{spec.grain}"),) if spec.grain else ()
    return joined((*time, *(dimension_split(domain, name, locale) for name in spec.dimensions)), locale)


def dimension_split(domain: Domain, name: DimensionName, locale: Locale) -> str:
    """'by channel', in the catalog's own words where it has them."""
    names = domain.dimension(name).names
    return names.by.get(locale) or say(locale, "receipt.by", dimension=first_lower(names.in_locale(locale)))


def members_said(spec: QuerySpec, domain: Domain, locale: Locale, most: int | None = _NAMED_MEMBERS) -> tuple[str, ...]:
    """A phrase for each member filter: 'only Visa and Amex', 'without ATM and without POS'.

    Of more than `most` members the rest is only counted; None names them all.
    """
    return tuple(_members_said(item, domain, locale, most) for item in spec.filters)


def _members_said(item: MemberFilter, domain: Domain, locale: Locale, most: int | None) -> str:
    labels = member_labels(item, domain, locale)
    if not item.values:
        name = first_lower(domain.dimension(item.dimension).names.in_locale(locale))
        return say(locale, "receipt.with_none" if item.include else "receipt.with_some", dimension=name)
    return _kept(labels, locale, most) if item.include else _left_out(labels, locale, most)


def filters_said(spec: QuerySpec, domain: Domain, locale: Locale) -> tuple[str, ...]:
    """Each member filter with its dimension and all its members: 'Card brand: Visa', 'Channel: not ATM'."""
    return tuple(
        say(
            locale,
            "receipt.filter_include" if item.include else "receipt.filter_exclude",
            dimension=domain.dimension(item.dimension).names.in_locale(locale),
            members=", ".join(member_labels(item, domain, locale)) or say(locale, "receipt.no_member"),
        )
        for item in spec.filters
    )


def thresholds_said(spec: QuerySpec, domain: Domain, locale: Locale) -> tuple[str, ...]:
    """'Processed amount > S/ 10,000.00'."""
    return tuple(_threshold(item, domain, locale) for item in spec.having)


def ranking_said(spec: QuerySpec, domain: Domain, locale: Locale) -> str:
    """'top 10', 'bottom 5', 'newest 3', 'top 3 of each region'; empty where every row is shown."""
    if spec.calculation and spec.calculation.kind == "rank" and spec.keeps_few:
        return _few_of_each(spec, spec.calculation, domain, locale)
    if spec.limit is None:
        return ""
    first = spec.order[0] if spec.order else OrderBy(by="")
    ends = ("top", "bottom")
    if first.by == "time":
        ends = ("newest", "oldest")
    elif first.by in spec.dimensions:
        ends = ("last", "first")
    return _few(f"receipt.{ends[0 if first.descending else 1]}", spec.limit, locale)


def ordering_said(spec: QuerySpec, domain: Domain, locale: Locale) -> str:
    """'Processed amount, largest first; first 10'; empty when neither order nor limit was asked for."""
    orders = tuple(_order(item, spec, domain, locale) for item in spec.order)
    limit = () if spec.limit is None else (_few("receipt.first_rows", spec.limit, locale),)
    return "; ".join((*orders, *limit))


def first_lower(text: str) -> str:
    """The text to stand inside a sentence: its first letter small, unless the word is written in capitals."""
    word = text.partition(" ")[0]
    return text if not word[1:].islower() else text[:1].lower() + text[1:]


def joined(parts: Iterable[str], locale: Locale) -> str:
    """'a', 'a and b', 'a, b and c'."""
    return format_list([part for part in parts if part], locale="en_GB" if locale == "en" else locale)


def _few(key: str, limit: int, locale: Locale) -> str:
    # Not a plural form: Russian would say 21 with the words of 1.
    return say(locale, f"{key}_one") if limit == 1 else say(locale, key, count=limit)


def _few_of_each(spec: QuerySpec, calculation: Calculation, domain: Domain, locale: Locale) -> str:
    """'top 3 of each region', 'lowest of each month'."""
    of = domain.dimension(calculation.over).names.in_locale(locale) if calculation.over else ""
    down = next((item.descending for item in spec.order if item.by in spec.metrics), True)
    few = _few(f"receipt.{'top' if down else 'bottom'}", calculation.window or 1, locale)
    each = first_lower(of or say(locale, f"receipt.each_{spec.grain}"))
    return say(locale, "receipt.few_of_each", few=few, each=each)


def _counted(spec: QuerySpec, domain: Domain, locale: Locale) -> str:
    over = spec.calculation.over if spec.calculation else None
    dimension = domain.dimension(over).names.in_locale(locale) if over else ""
    return say(locale, "column.count", dimension=dimension)


def _kept(labels: tuple[str, ...], locale: Locale, most: int | None) -> str:
    return say(locale, "receipt.only", members=_some(labels, locale, most))


def _left_out(labels: tuple[str, ...], locale: Locale, most: int | None) -> str:
    # 'without' is said of each member: of 'without A and B', B alone could be meant to stay.
    return _some(tuple(say(locale, "receipt.without", members=label) for label in labels), locale, most)


def _some(parts: tuple[str, ...], locale: Locale, most: int | None) -> str:
    if most is None or len(parts) <= most:
        return joined(parts, locale)
    return say(locale, "receipt.and_more", members=", ".join(parts[:most]), count=len(parts) - most)


def member_labels(item: MemberFilter, domain: Domain, locale: Locale) -> tuple[str, ...]:
    """The filter's members as the catalog labels them, else as they are stored."""
    known = {member.value: member.names.in_locale(locale) for member in domain.dimension(item.dimension).members}
    return tuple(known.get(value, value) for value in item.values)


def _threshold(item: Threshold, domain: Domain, locale: Locale) -> str:
    metric = domain.metric(item.metric)
    label = _column_label(item.column, domain, locale)
    percent = item.of == "change_pct"
    column = ResultColumn(
        name=item.column,
        label=label,
        role="metric" if item.of == "value" else "change",
        type="decimal",
        format="percent" if percent else metric.format,
        unit=None if percent else metric.unit,
        points=item.of == "change" and metric.format == "percent",
    )
    if item.against == "average":
        return say(locale, "receipt.threshold_average", metric=label, sign=_SIGNS[item.operator])
    value = write_cell(item.value, column, locale)
    return say(locale, "receipt.threshold", metric=label, sign=_SIGNS[item.operator], value=value)


def _order(item: OrderBy, spec: QuerySpec, domain: Domain, locale: Locale) -> str:
    if item.by == "time":
        return say(locale, "receipt.newest_first" if item.descending else "receipt.oldest_first")
    if item.by in spec.dimensions:
        key = "receipt.z_to_a" if item.descending else "receipt.a_to_z"
        return say(locale, key, column=domain.dimension(DimensionName(item.by)).names.in_locale(locale))
    key = "receipt.largest_first" if item.descending else "receipt.smallest_first"
    return say(locale, key, column=_column_label(item.by, domain, locale))


def _column_label(name: str, domain: Domain, locale: Locale) -> str:
    """The label of a metric, or of a column added to one such as `fees_change_pct`."""
    for metric in sorted(domain.metrics, key=lambda metric: -len(metric.name)):
        if name == metric.name:
            return metric.names.in_locale(locale)
        if name.startswith(f"{metric.name}_"):
            key = f"receipt.column{name.removeprefix(metric.name)}"
            return say(locale, key, metric=metric.names.in_locale(locale))
    return domain.metric(MetricName(name)).names.in_locale(locale)
