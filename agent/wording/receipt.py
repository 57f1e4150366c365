"""A spec in words: its title, and the lines of the card that a person approves."""

from datetime import date, timedelta

from agent.values.outcome import Receipt, ReceiptLine
from agent.values.spec import QuerySpec
from agent.wording.dates import day, period_title, period_with_words
from agent.wording.spec_words import (
    filters_said,
    first_lower,
    members_said,
    metrics_said,
    ordering_said,
    ranking_said,
    split_said,
    thresholds_said,
)
from agent.wording.texts import say
from semantic_catalog.model import Domain, Entity, Locale, Metric
from semantic_catalog.plan import is_planned

RowRuleLabels = tuple[tuple[tuple[Locale, str], ...], ...]


def spec_title(spec: QuerySpec, domain: Domain, locale: Locale, today: date) -> str:
    """The question restated: 'Approval rate by channel, last 7 days'. Everything that changes the answer is in it."""
    subject, split = metrics_said(spec, domain, locale), split_said(spec, domain, locale)
    parts = (
        say(locale, "receipt.title_split", subject=subject, split=split) if split else subject,
        *members_said(spec, domain, locale),
        *map(first_lower, thresholds_said(spec, domain, locale)),
        ranking_said(spec, domain, locale),
        *_when(spec, domain, locale, today),
    )
    return ", ".join(part for part in parts if part)


def build_receipt(
    spec: QuerySpec,
    domain: Domain,
    *,
    row_rule_labels: RowRuleLabels,
    entities: tuple[Entity, ...],
    assumptions: tuple[str, ...],
    unused_words: tuple[str, ...],
    locale: Locale,
    today: date,
    title: str = "",
) -> Receipt:
    """Title and lines, in the order of the card. A line that would say nothing is left out.

    `title` stands in for the spec's where the SQL was written and the spec is empty.

    `row_rule_labels` are the principal's row rules in words per locale; `assumptions` are sentences already.
    """
    values = (
        ("trusted", _trusted(spec, domain, locale)),
        ("measure", _measures(spec, domain, locale)),
        ("period", _period(spec, domain, locale, today)),
        ("compared", period_with_words(spec.comparison.period, locale) if spec.comparison else ""),
        ("split_by", _split(spec, domain, locale)),
        ("filters", "; ".join((*filters_said(spec, domain, locale), *thresholds_said(spec, domain, locale)))),
        ("sorted", ordering_said(spec, domain, locale)),
        ("reads", ", ".join(entity.names.in_locale(locale) for entity in entities)),
        ("your_access", "; ".join(_in_locale(label, locale) for label in row_rule_labels)),
        ("assumptions", " ".join(assumptions)),
        ("not_understood", ", ".join(say(locale, "receipt.quoted", words=words) for words in unused_words)),
    )
    lines = tuple(ReceiptLine(key=key, value=value) for key, value in values if value)
    return Receipt(title=title or spec_title(spec, domain, locale, today), lines=lines)


def _trusted(spec: QuerySpec, domain: Domain, locale: Locale) -> str:
    """Who answers for the question and when they last checked it; '' for a question that nobody has signed."""
    signed = next((each for each in domain.trusted_queries if each.name == spec.trusted_query), None)
    if signed is None:
        return ""
    owner = signed.owner.get(locale) or signed.owner.get("en", "")
    if signed.checked_on is None:
        return say(locale, "receipt.checked_by", owner=owner)
    return say(locale, "receipt.checked_by_on", owner=owner, day=day(signed.checked_on, locale))


def _when(spec: QuerySpec, domain: Domain, locale: Locale, today: date) -> tuple[str, ...]:
    if spec.period is None:
        return ()
    compared = spec.comparison
    against = say(locale, "receipt.title_compared", period=period_title(compared.period, locale)) if compared else ""
    known = is_planned(spec.metrics, domain)
    starts_later = not known and spec.period.start is not None and spec.period.start >= today
    return (
        period_title(spec.period, locale),
        against,
        say(locale, "receipt.no_data_yet") if starts_later else "",
    )


def _period(spec: QuerySpec, domain: Domain, locale: Locale, today: date) -> str:
    if spec.period is None:
        return ""
    text = period_with_words(spec.period, locale)
    if spec.period.end < today or is_planned(spec.metrics, domain):
        return text
    return say(locale, "receipt.data_ends", period=text, day=day(today - timedelta(days=1), locale))


def _measures(spec: QuerySpec, domain: Domain, locale: Locale) -> str:
    if spec.calculation and spec.calculation.kind == "count_members":
        return metrics_said(spec, domain, locale)
    metrics = [domain.metric(name) for name in spec.metrics]
    if len(metrics) == 1:
        return _definition(metrics[0], locale) or metrics[0].names.in_locale(locale)
    return "; ".join(_defined(metric, locale) for metric in metrics)


def _defined(metric: Metric, locale: Locale) -> str:
    label, definition = metric.names.in_locale(locale), _definition(metric, locale)
    return say(locale, "receipt.defined", name=label, definition=first_lower(definition)) if definition else label


def _definition(metric: Metric, locale: Locale) -> str:
    return metric.names.description.get(locale, "").rstrip(".")


def _split(spec: QuerySpec, domain: Domain, locale: Locale) -> str:
    time = (say(locale, f"column.{spec.grain}"),) if spec.grain else ()
    return ", ".join((*time, *(domain.dimension(name).names.in_locale(locale) for name in spec.dimensions)))


def _in_locale(label: tuple[tuple[Locale, str], ...], locale: Locale) -> str:
    texts = dict(label)
    return texts.get(locale) or texts.get("en", "")
