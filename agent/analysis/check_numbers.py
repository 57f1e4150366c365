"""No number is posted that the result does not bear out."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from babel.dates import get_month_names

from agent.analysis.buckets import buckets_between
from agent.analysis.cells import as_day, as_number
from agent.analysis.layout import read_layout
from agent.analysis.number_tokens import Kind, NumberToken, number_tokens
from agent.values.result import Kpi, ResultColumn, ResultTable
from agent.values.spec import Period, QuerySpec
from agent.wording.dates import bucket, day, period_label, period_phrase, period_title
from semantic_catalog.model import Locale

_KEYS = ("dimension", "label", "other")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """A value that prose may state, and as what."""

    value: Decimal
    kind: Kind


def unsupported_numbers(
    text: str, table: ResultTable, kpis: tuple[Kpi, ...], spec: QuerySpec | None, locale: Locale, row_count: int
) -> tuple[str, ...]:
    """The numbers of `text` that nothing supports, as written; empty when all may be posted.

    Supported, at the precision shown: cells, KPIs, counts of rows, members and buckets, the spec's limit, thresholds,
    dates and period lengths. A percentage must come from a fraction, points from a difference of fractions, and a
    signed number must have that sign. Digits inside names (members, metrics) are no numbers.
    """
    prose = _without_dates(_without_names(text, table, kpis), table, spec, locale)
    known = (*_cells(table), *_of_kpis(kpis, table), *_counts(table, spec, row_count))
    return tuple(token.text for token in number_tokens(prose, locale) if not _is_known(token, known))


def _is_known(token: NumberToken, known: Iterable[_Known]) -> bool:
    return any(fact.kind == token.kind and _agrees(token, fact.value) for fact in known)


def _agrees(token: NumberToken, value: Decimal) -> bool:
    shown = value if token.signed else abs(value)
    return abs(shown - token.value) <= token.tolerance


def _cells(table: ResultTable) -> list[_Known]:
    numbers = ((as_number(cell), column) for row in table.rows for cell, column in zip(row, table.columns, strict=True))
    return [_fact(number, column) for number, column in numbers if number is not None]


def _fact(number: Decimal, column: ResultColumn) -> _Known:
    if column.points:
        return _Known(value=number * 100, kind="points")
    if column.format == "percent":
        return _Known(value=number * 100, kind="percent")
    return _Known(value=number, kind="plain")


def _of_kpis(kpis: tuple[Kpi, ...], table: ResultTable) -> list[_Known]:
    columns = {column.name: column for column in table.columns}
    facts = []
    for kpi in kpis:
        if kpi.change is not None:
            facts.append(_Known(value=kpi.change * 100, kind="percent"))
        column = columns.get(kpi.column)
        if kpi.kind == "change" and column is not None:
            facts += [_fact(now.value - kpi.value, column) for now in kpis if _is_whole_of(now, kpi)]
        if kpi.kind == "change" and column is not None and column.format == "percent":
            facts.append(_Known(value=kpi.value * 100, kind="points"))
        elif kpi.kind == "count" or column is None:
            facts.append(_Known(value=kpi.value, kind="plain"))
        else:
            facts.append(_fact(kpi.value, column))
    return facts


def _is_whole_of(now: Kpi, change: Kpi) -> bool:
    return now.column == change.column and now.kind in ("total", "overall")


def _counts(table: ResultTable, spec: QuerySpec | None, row_count: int) -> list[_Known]:
    layout = read_layout(table.columns)
    members = [len({row[key] for row in table.rows}) for key in layout.keys]
    counts = [row_count, len(table.rows), *members, *_spec_counts(spec)]
    plain = [_Known(value=Decimal(count), kind="plain") for count in counts]
    return plain + [fact for threshold in (spec.having if spec else ()) for fact in _threshold(threshold.value)]


def _spec_counts(spec: QuerySpec | None) -> list[int]:
    if spec is None:
        return []
    window = spec.calculation.window if spec.calculation else None
    known = [number for number in (spec.limit, window) if number is not None]
    return known + [size for period in _periods(spec) for size in _lengths(period, spec)]


def _lengths(period: Period, spec: QuerySpec) -> list[int]:
    """How long the period is, in days and in buckets of the result, and as its words say it."""
    worded = [int(number) for number in re.findall(r"\d+", period.words)]
    if period.start is None:
        return worded
    buckets = len(buckets_between(period.start, period.end, spec.grain)) if spec.grain else 1
    return [*worded, (period.end - period.start).days + 1, buckets]


def _threshold(value: Decimal) -> tuple[_Known, ...]:
    return (_Known(value=value, kind="plain"), _Known(value=value * 100, kind="percent"))


def _periods(spec: QuerySpec) -> list[Period]:
    return [
        period for period in (spec.period, spec.comparison.period if spec.comparison else None) if period is not None
    ]


def _without_names(text: str, table: ResultTable, kpis: tuple[Kpi, ...]) -> str:
    cells = {
        cell
        for row in table.rows
        for cell, column in zip(row, table.columns, strict=True)
        if column.role in _KEYS and isinstance(cell, str)
    }
    names = cells | {column.label for column in table.columns} | {kpi.at for kpi in kpis}
    return _without(text, (name for name in names if any(letter.isdigit() for letter in name)))


def _without(text: str, phrases: Iterable[str]) -> str:
    for phrase in sorted(set(phrases), key=len, reverse=True):
        # A member called '86' must not excuse '86.9' or '86 %'.
        text = re.sub(rf"(?<![\w.,]){re.escape(phrase)}(?!\w|[.,]\d|[\s\u00a0\u202f]?%)", " ", text)
    return text


def _without_dates(text: str, table: ResultTable, spec: QuerySpec | None, locale: Locale) -> str:
    layout = read_layout(table.columns)
    time = layout.time
    starts = [] if time is None else [found for row in table.rows if (found := as_day(row[time])) is not None]
    grain = layout.time_column.grain if layout.time_column else None
    written = [bucket(start, grain or "day", locale) for start in starts]
    periods = _periods(spec) if spec else []
    for period in periods:
        written += [period_label(period, locale), period_phrase(period, locale), period_title(period, locale)]
    edges = [edge for period in periods for edge in (period.start, period.end) if edge is not None]
    written += [day(edge, locale) for edge in edges]
    return _without_other_dates(_without(text, written), {*starts, *edges}, periods, locale)


def _without_other_dates(text: str, days: set[date], periods: list[Period], locale: Locale) -> str:
    """Dates that prose writes its own way: '28 October', 'Oct 28, 2026', '2026-10-28', 'in 2026'."""
    months = _months(locale)
    names = "|".join(sorted((re.escape(name) for name in months), key=len, reverse=True))
    patterns = (
        rf"(?<!\d)(?P<day>\d{{1,2}})\s(?:de\s)?(?P<month>{names})\.?(?:,?\s(?:de\s)?(?P<year>\d{{4}}))?(?!\w)",
        rf"(?<!\w)(?P<month>{names})\.?\s(?P<day>\d{{1,2}})(?!\d)(?:,?\s(?P<year>\d{{4}}))?",
        rf"(?<!\w)(?P<month>{names})\.?\s(?:de\s)?(?P<year>\d{{4}})(?!\d)",
        r"(?<![\d-])(?P<year>\d{4})-(?P<month>\d{2})(?:-(?P<day>\d{2}))?(?![\d-])",
        r"(?<![\d.,])(?P<year>(?:19|20)\d{2})(?![\d.,%]*\d|\s?%)",
    )
    for pattern in patterns:
        text = re.sub(pattern, lambda found: _known_date(found, months, days, periods), text, flags=re.IGNORECASE)
    return text


def _known_date(found: re.Match[str], months: dict[str, int], days: set[date], periods: list[Period]) -> str:
    parts = found.groupdict()
    month = parts.get("month")
    wanted = (
        int(parts["year"]) if parts.get("year") else None,
        None if month is None else int(month) if month.isdigit() else months[month.lower()],
        int(parts["day"]) if parts.get("day") else None,
    )
    return " " if any(_matches(known, wanted) for known in _days_of(days, periods)) else found[0]


def _matches(known: date, wanted: tuple[int | None, int | None, int | None]) -> bool:
    parts = (known.year, known.month, known.day)
    return all(want is None or want == part for want, part in zip(wanted, parts, strict=True))


def _days_of(days: set[date], periods: list[Period]) -> set[date]:
    spans = {
        start
        for period in periods
        if period.start is not None
        for start in buckets_between(period.start, period.end, "day")
    }
    return days | spans


def _months(locale: Locale) -> dict[str, int]:
    return {
        name.lower().rstrip("."): number
        for width in ("wide", "abbreviated")
        for context in ("format", "stand-alone")
        for number, name in get_month_names(width, context, locale).items()
    }
