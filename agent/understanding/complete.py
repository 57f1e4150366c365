"""Parts of a question made whole: what is missing is taken or asked, what the sources cannot give is asked about."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from decimal import Decimal

from agent.sql.compile.sources import can_answer, sources_for
from agent.understanding.calendar import UNITS, is_begun, shift, unit_start
from agent.understanding.comparisons import before_unit, previous_period, previous_year, week_before
from agent.understanding.options import named_span
from agent.understanding.parts import Direction, Parts
from agent.understanding.periods import to_period
from agent.values.spec import Assumption, Calculation, Comparison, OrderBy, Period, QuerySpec, Threshold
from semantic_catalog.model import DimensionName, Domain, Locale, Metric, MetricName, TimeGrain

DEFAULT_LIMIT = 10
_MOVED = 50
"""What rose or fell most is seen in all of so many members: where it is among them says as much as that it is first."""
_OVER_TIME = ("growth", "running_total", "moving_average")
_GRAINS: tuple[TimeGrain, ...] = ("day", "week", "month", "quarter", "year")


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What a question is completed in. `assume` means that nothing more may be asked, `other_periods` that
    none of the usual periods was wanted.
    """

    domain: Domain
    locale: Locale
    today: date
    assume: bool = False
    other_periods: bool = False

    @property
    def last_day(self) -> date:
        """The last day of data."""
        return self.today - timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafted:
    """A spec and what was taken for granted in it."""

    spec: QuerySpec
    assumptions: tuple[Assumption, ...] = field(default=())


def drafted(parts: Parts, setting: Setting) -> Drafted:
    """The spec of parts that name a metric. Only the period may be missing from it."""
    parts = _shaped(parts, setting)
    draft = Drafted(
        spec=QuerySpec(
            domain=setting.domain.name,
            metrics=parts.metrics,
            dimensions=parts.dimensions,
            grain=parts.grain,
            filters=parts.filters,
            period=parts.period,
            comparison=parts.comparison,
            having=parts.having or _any_of(parts),
            order=parts.order,
            limit=parts.limit,
            calculation=_calculation(parts),
            chart=parts.chart,
        )
    )
    steps: tuple[Callable[[Drafted, Parts, Setting], Drafted], ...] = (_bucketed, _ranked, _dated, _compared)
    for step in steps:
        draft = step(draft, parts, setting)
    return draft


def _any_of(parts: Parts) -> tuple[Threshold, ...]:
    """'How many merchants had declines' counts those with more than none."""
    return (Threshold(metric=parts.metrics[0], operator=">", value=Decimal(0)),) if parts.counted else ()


def _shaped(parts: Parts, setting: Setting) -> Parts:
    """Shares that are metrics of their own, splits without which a figure means nothing, words that say nothing."""
    parts = _split_as_needed(parts, setting.domain)
    whole = not parts.dimensions and not parts.filters and parts.grain is None
    if parts.share and (parts.part_of_whole or whole):
        ratio = _ratio_of(parts.metrics, setting.domain)
        return replace(parts, metrics=ratio or parts.metrics, share=ratio is None)
    percent = any(setting.domain.metric(name).kind == "ratio" for name in parts.metrics)
    return replace(parts, share=parts.share and not percent)


def _split_as_needed(parts: Parts, domain: Domain) -> Parts:
    """Income and cost are never added up: a metric of any line is split by line where nothing else keeps them apart."""
    by = {*parts.dimensions, *(item.dimension for item in parts.filters if item.include)}
    needed = [domain.metric(name).needs_one_of for name in parts.metrics]
    missing = [choice[0] for choice in needed if choice and not by & set(choice)]
    return replace(parts, dimensions=tuple(dict.fromkeys((*parts.dimensions, *missing[:1]))))


def _ratio_of(metrics: tuple[MetricName, ...], domain: Domain) -> tuple[MetricName, ...] | None:
    """The percentage that one metric is the part of: the share of declined transactions is the decline rate."""
    found = [m.name for m in domain.metrics if m.format == "percent" and (m.numerator,) == metrics]
    return (found[0],) if len(found) == 1 else None


def _calculation(parts: Parts) -> Calculation | None:
    if parts.counted is not None:
        return Calculation(kind="count_members", over=parts.counted)
    if parts.share:
        return Calculation(kind="share", over=_shared_over(parts))
    if parts.growth and not _compares(parts) and (parts.grain or parts.period is None):
        return Calculation(kind="growth")
    return parts.calculation


def _shared_over(parts: Parts) -> DimensionName | None:
    """One dimension is what the whole is divided over; of several, the share is of the grand total."""
    if parts.share_of_member:
        return parts.share_of_member
    if not parts.dimensions:
        return next((item.dimension for item in reversed(parts.filters) if item.include), None)
    return parts.dimensions[0] if len(parts.dimensions) == 1 else None


def _compares(parts: Parts) -> bool:
    named = parts.comparison is not None
    return named or parts.wants_previous or parts.wants_week or parts.wants_year


def _bucketed(draft: Drafted, parts: Parts, setting: Setting) -> Drafted:
    """The bucket of a trend that names none."""
    spec = draft.spec
    when = parts.when and (parts.rank is not None or bool(parts.having)) and not spec.dimensions
    grown = spec.calculation is not None and spec.calculation.kind in _OVER_TIME
    over_time = parts.trend or when or grown or _is_series(spec, parts, setting.domain)
    if spec.grain is not None or not over_time:
        return draft
    grain = _offered_grain("day" if when else _trend_grain(spec.period), spec, setting)
    assumption = Assumption(key=f"grain_{grain}")
    return Drafted(spec=replace(spec, grain=grain), assumptions=(*draft.assumptions, assumption))


def _is_series(spec: QuerySpec, parts: Parts, domain: Domain) -> bool:
    """A quoted figure that is split by nothing, such as a rate, is not averaged over several months unasked."""
    start = spec.period.start if spec.period else None
    if start is None or parts.average or parts.rank or _compares(parts) or spec.comparison:
        return False
    several = spec.period is not None and shift(unit_start(start, "month"), "month", 1) <= spec.period.end
    return several and all(is_quoted(domain.metric(name), domain) for name in spec.metrics)


def is_quoted(metric: Metric, domain: Domain) -> bool:
    """Whether the metric is one value a month, averaged over longer periods, and split by nothing."""
    measures = (entity.measure(metric.measure) for entity in domain.entities if metric.measure)
    averaged = any(measure is not None and measure.aggregation == "avg" for measure in measures)
    return averaged and metric.dimensions == ()


def _trend_grain(period: Period | None) -> TimeGrain:
    if period is None or period.start is None:
        return "month"
    days = (period.end - period.start).days + 1
    return "day" if days <= 45 else "month"


def _offered_grain(grain: TimeGrain, spec: QuerySpec, setting: Setting) -> TimeGrain:
    """The finest bucket from `grain` on that the sources give; `grain` itself when none does."""
    dimensions = demanded(spec)
    coarser = _GRAINS[_GRAINS.index(grain) :]
    return next((each for each in coarser if can_answer(spec.metrics, dimensions, each, setting.domain)), grain)


def demanded(spec: QuerySpec) -> tuple[DimensionName, ...]:
    """Every dimension the spec needs: split by, filtered by, counted or shared over."""
    over = spec.calculation.over if spec.calculation else None
    names = (*spec.dimensions, *(item.dimension for item in spec.filters), *((over,) if over else ()))
    return tuple(dict.fromkeys(names))


def _ranked(draft: Drafted, parts: Parts, setting: Setting) -> Drafted:
    """Sort order and limit of a ranking; ten rows where a plural names no number and there may be more."""
    spec, rank = draft.spec, parts.rank
    if rank is None or parts.counted is not None or not (spec.dimensions or spec.grain):
        return draft
    metric = rank.metric or spec.metrics[0]
    descending = _is_descending(rank.direction, setting.domain.metric(metric).direction == "down")
    descending = descending and not _falls(parts)
    order = (OrderBy(by=_sort_column(metric, parts, setting.domain), descending=descending),)
    if spec.calculation is not None and spec.calculation.kind == "rank":
        by = spec.calculation.over or "time"
        return replace(draft, spec=replace(spec, order=(OrderBy(by=by, descending=False), *order), limit=None))
    spec = replace(spec, order=order, limit=rank.limit or spec.limit)
    if rank.limit is None and rank.several and _may_be_long(spec, setting.domain, _MOVED if parts.moved else None):
        assumption = Assumption(key="limit_default", params=(("limit", str(DEFAULT_LIMIT)),))
        return Drafted(spec=replace(spec, limit=DEFAULT_LIMIT), assumptions=(*draft.assumptions, assumption))
    return replace(draft, spec=spec)


def _is_descending(direction: Direction, less_is_better: bool) -> bool:
    if direction in ("best", "worst"):
        return less_is_better == (direction == "worst")
    return direction in ("high", "top")


def _sort_column(metric: MetricName, parts: Parts, domain: Domain) -> str:
    """The metric itself, its change where growth is what is ranked, or what a condition measures it against."""
    planned = [item.metric for item in parts.having if domain.metric(item.metric).view_of == metric]
    if planned:
        return planned[0]
    if not parts.growth:
        return metric
    if parts.moved:
        return f"{metric}_change"
    return f"{metric}_change" if domain.metric(metric).format == "percent" else f"{metric}_change_pct"


def _falls(parts: Parts) -> bool:
    """'Fell most': the largest fall is the lowest change."""
    return parts.moved == "fall" and parts.rank is not None and parts.rank.direction in ("high", "top")


def _may_be_long(spec: QuerySpec, domain: Domain, most: int | None = None) -> bool:
    if spec.dimensions:
        return any(domain.dimension(name).cardinality > (most or DEFAULT_LIMIT) for name in spec.dimensions)
    return spec.grain in ("day", "week")


def _dated(draft: Drafted, parts: Parts, setting: Setting) -> Drafted:
    """The period that a trend or a 'when' takes when none is named."""
    spec, domain = draft.spec, setting.domain
    if spec.period is not None or domain.period_always_asked:
        return draft
    if parts.when and spec.grain is not None:
        period = Period(start=None, end=setting.last_day, timezone=domain.timezone, words="all_history")
        return _with_period(draft, period, Assumption(key="all_history"))
    if spec.grain is not None and parts.rank is None:
        return _with_period(draft, *_recent(setting))
    return draft


def _recent(setting: Setting) -> tuple[Period, Assumption]:
    months = setting.domain.default_history_months
    period = to_period(named_span(f"last_{months}_months", setting.today), setting.domain.timezone)
    return period, Assumption(key="history_months", params=(("months", str(months)),))


def _with_period(draft: Drafted, period: Period, assumption: Assumption) -> Drafted:
    return Drafted(spec=replace(draft.spec, period=period), assumptions=(*draft.assumptions, assumption))


def _compared(draft: Drafted, parts: Parts, setting: Setting) -> Drafted:
    """The other period: the one named, else the one before or the year before. A begun unit is compared in part."""
    del setting
    spec = draft.spec
    comparison = spec.comparison or _wished(spec, parts)
    if comparison is None or spec.period is None:
        return draft
    begun = any(is_begun(spec.period.words, unit) for unit in UNITS)
    said = (Assumption(key="same_days"),) if begun else ()
    return Drafted(spec=replace(spec, comparison=comparison), assumptions=(*draft.assumptions, *said))


def _wished(spec: QuerySpec, parts: Parts) -> Comparison | None:
    if spec.period is None:
        return None
    if parts.wants_year:
        return previous_year(spec.period)
    if parts.wants_week:
        return week_before(spec.period)
    if parts.previous_unit and parts.wants_previous:
        return before_unit(spec.period, parts.previous_unit)
    grows = parts.growth and spec.calculation is None
    return previous_period(spec.period) if parts.wants_previous or grows else None


def is_offered(spec: QuerySpec, setting: Setting) -> bool:
    """Whether governed sources can answer the whole spec."""
    return bool(sources_for(spec, setting.domain, setting.today))
