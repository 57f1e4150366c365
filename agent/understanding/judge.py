"""What has to be asked before a question can become SQL, each with options that answer it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from agent.sql.compile.sources import can_answer
from agent.understanding.complete import Drafted, Setting, demanded, drafted, is_offered
from agent.understanding.options import (
    MOST_OPTIONS,
    OfferedPeriod,
    dimension_options,
    grain_options,
    member_option,
    metric_options,
    nearest_metrics,
    offered_periods,
    other_period_option,
    without_option,
)
from agent.understanding.parts import Choice, Parts
from agent.understanding.stems import stem
from agent.understanding.superlatives import is_extreme
from agent.understanding.tokens import tokenize
from agent.values.spec import Assumption, MemberFilter, Option, QuerySpec, Slot
from semantic_catalog.model import DimensionName, Domain, MetricName, Names, TimeGrain

_GRAINS: tuple[TimeGrain, ...] = ("day", "week", "month", "quarter", "year")


def metric_slot(parts: Parts, setting: Setting) -> Slot | None:
    """The question for the metric, when none is named for certain."""
    domain, locale = setting.domain, setting.locale
    if parts.average:
        names = _averages_of(parts, setting)
        return Slot(
            name="metric", reason="not_offered", words=parts.average, options=metric_options(names, domain, locale)
        )
    choice = parts.metric_choice
    if choice and not parts.metrics:
        fitting = _fitting_metrics(choice, parts, setting)
        options = metric_options(fitting, domain, locale)
        return Slot(name="metric", reason="ambiguous", words=choice.words, options=options)
    if parts.metrics:
        return None
    words = " ".join(parts.unused)
    names = nearest_metrics(words, domain, locale) if words else _offered_first(parts, setting)
    options = metric_options(names, domain, locale)
    return Slot(name="metric", reason="unknown" if words else "missing", words=words, options=options)


def _offered_first(parts: Parts, setting: Setting) -> tuple[str, ...]:
    """Metrics that can be split and filtered as asked, those of one kind (the lowest, the highest …) last."""
    fitting = [m for m in setting.domain.metrics if m.view is None and _fits(m.name, parts, setting)]
    extremes = {m.name for m in fitting if is_extreme(m, setting.domain)}
    return tuple(m.name for m in sorted(fitting or setting.domain.metrics, key=lambda m: m.name in extremes))


def _averages_of(parts: Parts, setting: Setting) -> tuple[str, ...]:
    averages = [m.name for m in setting.domain.metrics if m.kind == "ratio" and m.numerator in parts.metrics]
    return (*averages, *parts.metrics)[:MOST_OPTIONS]


def _fitting_metrics(choice: Choice, parts: Parts, setting: Setting) -> tuple[str, ...]:
    """The choices that can be split and filtered as asked; all of them when none can."""
    fitting = tuple(name for name in choice.names if _fits(MetricName(name), parts, setting))
    return fitting or choice.names


def _fits(name: MetricName, parts: Parts, setting: Setting) -> bool:
    """A member that is part of the metric's own name ('copper' of 'LME copper') does not filter it."""
    own = _label_words(setting.domain.metric(name).names)
    filters = (f for f in parts.filters if not all(_value_words(f, v, setting) <= own for v in f.values))
    dimensions = tuple(dict.fromkeys((*parts.dimensions, *(item.dimension for item in filters))))
    return can_answer((name,), dimensions, parts.grain, setting.domain)


def _value_words(item: MemberFilter, value: str, setting: Setting) -> set[str]:
    members = setting.domain.dimension(item.dimension).members
    return next((_label_words(member.names) for member in members if member.value == value), {value})


def _label_words(names: Names) -> set[str]:
    return {stem(token.word, loc) for loc, text in names.label.items() for token in tokenize(text)}


def settled(parts: Parts, setting: Setting) -> Parts:
    """An ambiguous metric word settled where only one meaning can be split as asked, or is money as asked."""
    choice = parts.metric_choice
    if choice is None or parts.metrics:
        return parts
    if parts.money and len(paid := _of_money(choice, setting.domain)) == 1:
        return replace(parts, metrics=(MetricName(paid[0]),))
    if not (parts.dimensions or parts.filters):
        return parts
    fitting = _fitting_metrics(choice, parts, setting)
    return replace(parts, metrics=(MetricName(fitting[0]),)) if len(fitting) == 1 < len(choice.names) else parts


def _of_money(choice: Choice, domain: Domain) -> tuple[str, ...]:
    return tuple(name for name in choice.names if domain.metric(MetricName(name)).format == "amount")


def name_slots(parts: Parts, setting: Setting) -> Iterator[Slot]:
    """Questions about names: ambiguous dimensions and members, and words that nothing is known by."""
    domain, locale = setting.domain, setting.locale
    if parts.dimension_choice:
        yield _dimension_slot(parts.dimension_choice, parts, setting)
    if parts.member_choice:
        members = tuple(member_option(*each, domain, locale) for each in parts.member_choice.members[:MOST_OPTIONS])
        yield Slot(name="member", reason="ambiguous", words=parts.member_choice.words, options=members)
    if parts.blocking:
        words = ", ".join(parts.blocking)
        options = (*parts.near, without_option(words, locale))
        yield Slot(name="member", reason="unknown", words=words, options=options[-MOST_OPTIONS:])


def _dimension_slot(choice: Choice, parts: Parts, setting: Setting) -> Slot:
    """Which of several dimensions is meant; every one that fits the metrics when the word names none."""
    domain = setting.domain
    fitting = (d.name for d in domain.dimensions if can_answer(parts.metrics, (d.name,), None, domain))
    names = tuple(DimensionName(name) for name in choice.names) or tuple(fitting)
    options = dimension_options(names, domain, setting.locale)
    reason: Literal["ambiguous", "unknown"] = "ambiguous" if choice.names else "unknown"
    return Slot(name="dimension", reason=reason, words=choice.words, options=options)


def shape_slot(parts: Parts, draft: Drafted, setting: Setting) -> Slot | None:
    """The question for a dimension that a ranking, a share or a condition needs and that is not named."""
    spec, calculation = draft.spec, draft.spec.calculation
    settled_by_calculation = calculation is not None and (calculation.over or calculation.kind != "share")
    if spec.dimensions or spec.grain or settled_by_calculation:
        return None
    ranked = parts.rank is not None and (parts.rank.metric is not None or parts.rank.limit is not None)
    if not (ranked or spec.having or calculation):
        return None
    options = dimension_options(_splits_of(spec, setting), setting.domain, setting.locale)
    return Slot(name="dimension", reason="missing", options=options)


def _splits_of(spec: QuerySpec, setting: Setting) -> tuple[DimensionName, ...]:
    needed = demanded(spec)
    names = (d.name for d in setting.domain.dimensions if d.name not in spec.dimensions)
    return tuple(name for name in names if can_answer(spec.metrics, (*needed, name), spec.grain, setting.domain))


def period_slot(draft: Drafted, setting: Setting) -> Slot | None:
    """The question for the period, when none is named and none may be taken."""
    if draft.spec.period is not None:
        return None
    if not can_answer(draft.spec.metrics, demanded(draft.spec), None, setting.domain):
        return _other_split(draft.spec, setting)
    return Slot(name="period", reason="missing", options=_periods(_workable(draft.spec, setting), setting))


def _periods(offered: Sequence[OfferedPeriod], setting: Setting) -> tuple[Option, ...]:
    """The offered periods; where one is always asked, also the way to others."""
    options = tuple(each.option for each in offered)[:MOST_OPTIONS]
    more = setting.domain.period_always_asked and not setting.other_periods and len(options) < MOST_OPTIONS
    return (*options, other_period_option(setting.locale)) if more else options


def _workable(spec: QuerySpec, setting: Setting) -> tuple[OfferedPeriod, ...]:
    """The usual periods that the sources can answer this for."""
    offered = _usual(setting)
    return tuple(each for each in offered if is_offered(replace(spec, period=each.period, comparison=None), setting))


def offer_slot(draft: Drafted, setting: Setting) -> Slot | None:
    """The question when the sources cannot give the whole of it: another split, bucket or period."""
    spec, domain = draft.spec, setting.domain
    if spec.period is None or is_offered(spec, setting):
        return None
    if not can_answer(spec.metrics, demanded(spec), None, domain):
        return _other_split(spec, setting)
    if not can_answer(spec.metrics, demanded(spec), spec.grain, domain):
        return _other_grain(spec, setting)
    options = tuple(each.option for each in _workable(spec, setting))[:MOST_OPTIONS]
    return Slot(name="period", reason="not_offered", options=options) if options else _other_split(spec, setting)


def _other_split(spec: QuerySpec, setting: Setting) -> Slot:
    domain, locale = setting.domain, setting.locale
    bare = replace(spec, dimensions=(), filters=(), calculation=None)
    words = ", ".join(domain.dimension(name).names.in_locale(locale) for name in demanded(spec))
    options = dimension_options(_splits_of(bare, setting), domain, locale)
    return Slot(name="dimension", reason="not_offered", words=words, options=options)


def _other_grain(spec: QuerySpec, setting: Setting) -> Slot:
    domain = setting.domain
    grains = tuple(grain for grain in _GRAINS if can_answer(spec.metrics, demanded(spec), grain, domain))
    options: tuple[Option, ...] = grain_options(grains, setting.locale)
    return Slot(name="dimension", reason="not_offered", options=options)


def slots_of(parts: Parts, setting: Setting) -> tuple[tuple[Slot, ...], Drafted | None]:
    """All that has to be asked, the most telling first, or the finished draft when nothing has."""
    parts = settled(parts, setting)
    names = tuple(name_slots(parts, setting))
    metric = metric_slot(parts, setting)
    if metric is not None:
        period = () if parts.period or parts.grain or parts.trend or parts.when else (_plain_period(setting),)
        return (metric, *(names if metric.reason != "unknown" else ()), *period), None
    draft = drafted(parts, setting)
    found = (shape_slot(parts, draft, setting), offer_slot(draft, setting), period_slot(draft, setting))
    slots = (*names, *(slot for slot in found if slot is not None))
    return slots, draft


def _plain_period(setting: Setting) -> Slot:
    return Slot(name="period", reason="missing", options=_periods(_usual(setting), setting))


def _usual(setting: Setting) -> tuple[OfferedPeriod, ...]:
    return offered_periods(setting.domain, setting.locale, setting.today, others=setting.other_periods)


def assumed(slot: Slot) -> Assumption:
    """What taking the first option of a slot is called."""
    option = slot.options[0]
    return Assumption(
        key=f"{slot.name}_default", params=(("choice", option.label), ("words", slot.words), ("value", option.value))
    )
