"""Conditions on figures: more than an amount, grown or fallen, over or under the budget."""

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from agent.understanding.mentions import Mention, Reading
from agent.understanding.names import AVERAGES, THRESHOLDS, is_metric
from agent.understanding.slots import Amount
from agent.understanding.vocabulary import vocabulary
from agent.values.spec import Threshold
from semantic_catalog.model import Domain, MetricName, PlanView

Operator = Literal[">", ">=", "<", "<="]
_OPERATORS: dict[str, Operator] = {"more_than": ">", "at_least": ">=", "less_than": "<", "at_most": "<="}
_MIRRORED: dict[Operator, Operator] = {">": "<", ">=": "<=", "<": ">", "<=": ">="}
_LEAST_SCALE = 100
GROWTH = ("growth", "rise", "fall")
BUDGET_CONDITIONS = ("over_budget", "under_budget")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Setting:
    reading: Reading
    metrics: tuple[MetricName, ...]
    domain: Domain


def conditions_in(reading: Reading, metrics: tuple[MetricName, ...], domain: Domain) -> tuple[Threshold, ...]:
    """Conditions on metrics. An amount belongs to the metric beside it, else to the only one there is."""
    setting = _Setting(reading=reading, metrics=metrics, domain=domain)
    measured = (found for mention in reading.with_rule(*THRESHOLDS) for found in _said(mention, setting))
    moved = (_moved(mention, setting) for mention in reading.with_rule("rise", "fall"))
    planned = (_planned(mention, setting) for mention in reading.with_rule(*BUDGET_CONDITIONS))
    averaged = (_averaged(mention, setting) for mention in reading.with_rule(*AVERAGES))
    return (*measured, *(found for found in (*moved, *planned, *averaged) if found is not None))


def unread_conditions(reading: Reading, metrics: tuple[MetricName, ...], domain: Domain) -> tuple[str, ...]:
    """Conditions that belong to no metric, or that are no condition on it: a percentage of an amount."""
    setting = _Setting(reading=reading, metrics=metrics, domain=domain)
    amounts = [m for m in reading.with_rule(*THRESHOLDS) if _amount(m) is not None and not _said(m, setting)]
    budgets = [m for m in reading.with_rule(*BUDGET_CONDITIONS) if _planned(m, setting) is None]
    averages = [m for m in reading.with_rule(*AVERAGES) if _averaged(m, setting) is None]
    unread = (*amounts, *budgets, *averages)
    return tuple(reading.text_of(mention.start, mention.end) for mention in unread) if metrics else ()


def in_percent(reading: Reading, metrics: tuple[MetricName, ...], domain: Domain) -> tuple[MetricName, ...]:
    """The metrics with the one that a percentage is asked of as that percentage: a margin above 40 %."""
    amounts = [
        amount for m in reading.with_rule(*THRESHOLDS) if (amount := _amount(m)) and not _change_before(reading, m)
    ]
    if len(metrics) != 1 or not any(amount.percent for amount in amounts) or domain.metric(metrics[0]).view:
        return metrics
    if domain.metric(metrics[0]).format == "percent":
        return metrics
    ratios = [m.name for m in domain.metrics if m.kind == "ratio" and m.view is None and m.numerator == metrics[0]]
    return (ratios[0],) if len(ratios) == 1 else metrics


def plan_conditions_on(metrics: tuple[MetricName, ...], domain: Domain) -> tuple[MetricName, ...]:
    """The first metric with all of its views: what 'over budget' is said of is shown beside its budget."""
    base = _base(metrics, domain)
    views = tuple(metric.name for metric in domain.metrics if base and metric.view_of == base)
    return tuple(dict.fromkeys((base, *views, *metrics))) if base else metrics


def _metric_at(neighbour: Mention, setting: _Setting) -> MetricName:
    """The neighbour's metric, or the percentage it is read as."""
    name = MetricName(neighbour.of_kind("metric")[0].name)
    if name in setting.metrics or len(setting.metrics) != 1:
        return name
    own = setting.domain.metric(setting.metrics[0])
    return own.name if own.kind == "ratio" and own.numerator == name else name


def _said(mention: Mention, setting: _Setting) -> tuple[Threshold, ...]:
    """The condition of an amount, or the two of a range; none where it is no condition on a metric."""
    if mention.rule == "between_amounts":
        return _within(mention, setting)
    measured = _measured(mention, setting)
    return (measured,) if measured is not None else ()


def _within(mention: Mention, setting: _Setting) -> tuple[Threshold, ...]:
    """Both ends included; a scale or a percent sign said once, at the end, is both ends'."""
    metric, captures = _metric_of(mention, setting), mention.found.captures if mention.found else ()
    ends = [value for _, value in captures if isinstance(value, Amount)]
    if metric is None or len(ends) != len(("from", "to")):
        return ()
    low, high = ends
    scale = _scale_of(mention, setting.reading) if low.value < high.value / _LEAST_SCALE else Decimal(1)
    percent = setting.domain.metric(metric).format == "percent"
    if high.percent and not percent:
        return ()
    values = [_fraction(replace(end, percent=high.percent)) if percent else end.value for end in (low, high)]
    bounds: tuple[tuple[Operator, Decimal], ...] = ((">=", values[0] * scale), ("<=", values[1]))
    return tuple(Threshold(metric=metric, operator=operator, value=value) for operator, value in bounds)


def _scale_of(mention: Mention, reading: Reading) -> Decimal:
    """1 000 for 'from 100 to 200 thousand'; 1 where no scale is said."""
    return Decimal(vocabulary(reading.locale).scales.get(reading.tokens[mention.end - 1].word, 1))


def _measured(mention: Mention, setting: _Setting) -> Threshold | None:
    amount, metric = _amount(mention), _metric_of(mention, setting)
    if amount is None or metric is None:
        return None
    operator = _OPERATORS[mention.rule]
    change = _change_before(setting.reading, mention)
    if change is not None:
        return _on_change(amount, operator, metric, change, setting.domain)
    percent = setting.domain.metric(metric).format == "percent"
    if amount.percent and not percent:
        return None
    return Threshold(metric=metric, operator=operator, value=_fraction(amount) if percent else amount.value)


def _on_change(amount: Amount, operator: Operator, metric: MetricName, change: Mention, domain: Domain) -> Threshold:
    """'grew more than 10 %', 'fell by at least 2 points': a fall is a change below zero."""
    points = domain.metric(metric).format == "percent"
    value = amount.value / 100 if amount.percent or points else amount.value
    of: Literal["change", "change_pct"] = "change_pct" if amount.percent and not points else "change"
    if change.rule != "fall":
        return Threshold(metric=metric, operator=operator, value=value, of=of)
    return Threshold(metric=metric, operator=_MIRRORED[operator], value=-value, of=of)


def _change_before(reading: Reading, mention: Mention) -> Mention | None:
    earlier = reading.before(mention)
    return earlier if earlier is not None and earlier.rule in GROWTH else None


def _moved(mention: Mention, setting: _Setting) -> Threshold | None:
    """'those that fell', 'whose opex grew': a condition only where it tells members apart and has no amount."""
    later = setting.reading.after(mention)
    if not setting.metrics or (later is not None and later.rule in THRESHOLDS) or not _tells_apart(mention, setting):
        return None
    operator: Operator = ">" if mention.rule == "rise" else "<"
    return Threshold(metric=setting.metrics[0], operator=operator, value=Decimal(0), of="change")


def _averaged(mention: Mention, setting: _Setting) -> Threshold | None:
    """'above the average': of the metric beside it, else of the only one there is."""
    metric, reading = _metric_of(mention, setting), setting.reading
    # 'The average of their own segment' is another one for each.
    own = {token.word for token in reading.tokens[mention.end :]} & vocabulary(reading.locale).lists["own"]
    if metric is None or own or setting.domain.metric(metric).view is not None:
        return None
    operator: Operator = ">" if mention.rule == "above_average" else "<"
    return Threshold(metric=metric, operator=operator, value=Decimal(1), against="average")


def _tells_apart(mention: Mention, setting: _Setting) -> bool:
    words = vocabulary(setting.reading.locale).lists["relative"]
    before = [token.word for token in setting.reading.tokens[max(0, mention.start - 3) : mention.start]]
    return any(word in words for word in before)


def _planned(mention: Mention, setting: _Setting) -> Threshold | None:
    """'over budget' is a variance above zero, 'more than 5 % over budget' an attainment above 105 %."""
    base = _base(setting.metrics, setting.domain)
    over = mention.rule == "over_budget"
    amount = _amount(mention)
    view = _view(base, "attainment" if amount and amount.percent else "variance", setting.domain)
    if view is None:
        return None
    operator: Operator = ">" if over else "<"
    if amount is None:
        return Threshold(metric=view, operator=operator, value=Decimal(0))
    sign = 1 if over else -1
    value = 1 + sign * amount.value / 100 if amount.percent else sign * amount.value
    return Threshold(metric=view, operator=operator, value=value)


def _base(metrics: tuple[MetricName, ...], domain: Domain) -> MetricName | None:
    return next((name for name in metrics if domain.metric(name).view is None), None)


def _view(base: MetricName | None, view: PlanView, domain: Domain) -> MetricName | None:
    return next((m.name for m in domain.metrics if base and m.view == view and m.view_of == base), None)


def _amount(mention: Mention) -> Amount | None:
    amount = mention.found.get("amount") if mention.found else None
    return amount if isinstance(amount, Amount) else None


def _fraction(amount: Amount) -> Decimal:
    """A percentage as stored: `85 %` and `85` are 0.85, `0.85` is itself."""
    return amount.value / 100 if amount.percent or amount.value > 1 else amount.value


def _is_apart(mention: Mention, later: Mention | None, reading: Reading) -> bool:
    """Whether 'and' or a comma parts the amount from what follows: 'a rate over 85 % and a volume over a million'."""
    if later is None:
        return True
    and_words = vocabulary(reading.locale).lists["and"]
    between = reading.tokens[mention.end : later.start]
    return any(token.word in and_words for token in between) or "," in reading.tokens[later.start].gap


def _metric_of(mention: Mention, setting: _Setting) -> MetricName | None:
    reading = setting.reading
    later = reading.after(mention)
    if later is not None and later.kind == "unit":
        later = reading.after(later)
    earlier = reading.before(mention)
    if earlier is not None and earlier.rule in GROWTH:
        earlier = reading.before(earlier)
    for neighbour in (earlier, later) if _is_apart(mention, later, reading) else (later, earlier):
        if neighbour is not None and is_metric(neighbour):
            return _metric_at(neighbour, setting)
    return setting.metrics[0] if len(setting.metrics) == 1 else None
