"""The last question with what a message changes in it."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from agent.understanding.calendar import Span, shift
from agent.understanding.comparisons import compared, previous_year
from agent.understanding.earlier import goes_back
from agent.understanding.mentions import Mention, Reading
from agent.understanding.names import is_dimension, is_member
from agent.understanding.parts import Parts
from agent.values.spec import MemberFilter, Period
from semantic_catalog.model import DimensionName, MetricName


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A message read as a change: its parts and the reading they come from."""

    parts: Parts
    reading: Reading


def edited(base: Parts, edit: Edit) -> Parts:
    """The base with everything the message changes."""
    steps: tuple[Callable[[Parts, Edit], Parts], ...] = (
        _metrics,
        _dimensions,
        _filters,
        _grain,
        _period,
        _ranking,
        _rest,
    )
    for step in steps:
        base = step(base, edit)
    return base


def _metrics(base: Parts, edit: Edit) -> Parts:
    named = edit.parts.metrics
    if not named:
        return base
    if edit.reading.has("add"):
        return replace(base, metrics=tuple(dict.fromkeys((*base.metrics, *named))))
    if edit.reading.has("remove", "exclude"):
        kept = tuple(name for name in base.metrics if name not in named)
        return _with_metrics(base, kept) if kept else base
    return _with_metrics(base, named)


def _with_metrics(base: Parts, metrics: tuple[MetricName, ...]) -> Parts:
    """The base with other metrics; what was sorted by a metric that is gone is sorted by the first one."""
    gone = set(base.metrics) - set(metrics)
    order = tuple(replace(item, by=metrics[0]) if item.by in gone else item for item in base.order)
    having = tuple(item for item in base.having if item.metric not in gone)
    return replace(base, metrics=metrics, order=order, having=having)


def _dimensions(base: Parts, edit: Edit) -> Parts:
    removed = _after_rule(edit.reading, "remove", "exclude") | _after_rule(edit.reading, "instead")
    named = tuple(name for name in edit.parts.dimensions if name not in removed)
    if removed:
        base = _without(base, removed)
    if not named:
        return base
    another = edit.parts.metrics or goes_back(edit.reading)
    if edit.reading.has("instead") or _replaces_split(edit) or (another and not edit.reading.has("add", "too")):
        return replace(base, dimensions=named)
    return replace(base, dimensions=tuple(dict.fromkeys((*base.dimensions, *named))))


def _without(base: Parts, removed: set[DimensionName]) -> Parts:
    """Without splitting by these; what is only filtered by is no longer filtered."""
    filtered = removed - set(base.dimensions)
    return replace(
        base,
        dimensions=tuple(name for name in base.dimensions if name not in removed),
        filters=tuple(item for item in base.filters if item.dimension not in filtered),
    )


def undone(base: Parts, edit: Edit) -> Parts:
    """'undo the Amex one': without any filter on the dimensions of the members named."""
    gone = {item.dimension for item in edit.parts.filters}
    return replace(base, filters=tuple(item for item in base.filters if item.dimension not in gone))


def _after_rule(reading: Reading, *rules: str) -> set[DimensionName]:
    """Dimensions named right after such a word: 'remove the region', 'instead of channel'."""
    following = (_after_by(reading, mark) for mark in reading.with_rule(*rules))
    return {DimensionName(t.name) for m in following if m and is_dimension(m) for t in m.of_kind("dimension")}


def _after_by(reading: Reading, mark: Mention) -> Mention | None:
    """What follows, past a 'by' of its own: 'instead of by channel'."""
    later = reading.after(mark)
    return reading.after(later) if later is not None and later.rule == "by" else later


def _replaces_split(edit: Edit) -> bool:
    """'now split Dairy by account': what is named next to a member of the old split takes its place."""
    opens = any(mention.start == 0 for mention in edit.reading.with_rule("now"))
    return opens and bool(edit.parts.filters)


def _filters(base: Parts, edit: Edit) -> Parts:
    base = _without_filters(base, edit)
    for wanted in edit.parts.filters:
        base = _filtered(base, wanted, adds=edit.reading.has("add"))
    return base


def _without_filters(base: Parts, edit: Edit) -> Parts:
    """'remove the channel filter', 'remove the filters', 'all regions'."""
    if not (edit.reading.has("filter_word") and edit.reading.has("remove", "exclude")):
        return base
    named = {DimensionName(t.name) for m in edit.reading.mentions if is_dimension(m) for t in m.of_kind("dimension")}
    members = {DimensionName(t.name) for m in edit.reading.mentions if is_member(m) for t in m.of_kind("member")}
    gone = named | members
    kept = tuple(item for item in base.filters if gone and item.dimension not in gone)
    return replace(base, filters=kept)


def _filtered(base: Parts, wanted: MemberFilter, *, adds: bool) -> Parts:
    own = next((item for item in base.filters if item.dimension == wanted.dimension and item.include), None)
    others = tuple(item for item in base.filters if item.dimension != wanted.dimension)
    if not wanted.include:
        return _left_out(base, wanted, own, others)
    values = (*own.values, *wanted.values) if own and adds else wanted.values
    kept = replace(wanted, values=tuple(dict.fromkeys(values)))
    return _without_constant(replace(base, filters=(*others, kept)), kept)


def _left_out(base: Parts, wanted: MemberFilter, own: MemberFilter | None, others: tuple[MemberFilter, ...]) -> Parts:
    """Members taken out of those kept, or added to those left out."""
    if own:
        rest = tuple(value for value in own.values if value not in wanted.values)
        return replace(base, filters=(*others, replace(own, values=rest)) if rest else others)
    before = next((item.values for item in base.filters if item.dimension == wanted.dimension), ())
    return replace(base, filters=(*others, replace(wanted, values=tuple(dict.fromkeys((*before, *wanted.values))))))


def _without_constant(base: Parts, wanted: MemberFilter) -> Parts:
    """A split by a dimension of which one member is left says nothing, where another split remains."""
    others = tuple(name for name in base.dimensions if name != wanted.dimension)
    redundant = len(wanted.values) == 1 and bool(others or base.grain)
    return replace(base, dimensions=others) if redundant else base


def _grain(base: Parts, edit: Edit) -> Parts:
    if edit.parts.grain is None:
        return replace(base, trend=base.trend or edit.parts.trend)
    replaces = edit.reading.has("instead") and not edit.parts.dimensions
    changed = replace(base, grain=edit.parts.grain, dimensions=() if replaces else base.dimensions)
    # A ranking of members does not outlive its split, and a series runs in time.
    return changed if changed.dimensions else replace(changed, order=(), limit=None)


def _period(base: Parts, edit: Edit) -> Parts:
    wanted = edit.parts.period
    if wanted is None or base.period is None:
        return replace(base, period=wanted or base.period, comparison=edit.parts.comparison or base.comparison)
    if edit.reading.has("compare") and edit.parts.comparison is None:
        return _compared_with(base, wanted, base.period)
    if edit.parts.comparison is not None:
        return replace(base, period=wanted, comparison=edit.parts.comparison)
    return replace(base, period=_moved(base.period, wanted), comparison=None)


def _compared_with(base: Parts, wanted: Period, period: Period) -> Parts:
    one = Span(start=period.start, end=period.end, words=period.words)
    other = Span(start=wanted.start, end=wanted.end, words=wanted.words)
    current, comparison = compared(one, other, period.timezone)
    return replace(base, period=current, comparison=comparison, wants_previous=False, wants_year=False)


def _moved(period: Period, wanted: Period) -> Period:
    """'the same for last year' of one September is the September before; of a whole year, the year before."""
    whole_year = period.start is not None and shift(period.start, "year", 1) <= period.end
    if wanted.words != "last_year" or whole_year:
        return wanted
    earlier = previous_year(period)
    return earlier.period if earlier else wanted


def _ranking(base: Parts, edit: Edit) -> Parts:
    if edit.reading.has("all_of_them") or (edit.reading.has("limit_word") and edit.reading.has("remove", "exclude")):
        return replace(base, limit=None)
    rank = edit.parts.rank
    if rank is None:
        return replace(base, limit=_bare_limit(base, edit) or base.limit)
    if rank.direction in ("top", "bottom") and base.order and rank.limit:
        return replace(base, limit=rank.limit)
    return replace(base, rank=rank, order=(), limit=rank.limit or base.limit)


def _bare_limit(base: Parts, edit: Edit) -> int | None:
    """'limit 3', or a lone number where there was a limit."""
    if not (edit.reading.has("limit_word") or base.limit):
        return None
    return lone_number(edit.reading)


def lone_number(reading: Reading) -> int | None:
    """The only number of the message that nothing else uses; whole and at most a thousand."""
    covered = {at for m in reading.mentions for at in range(m.start, m.end)}
    numbers = [t.number for at, t in enumerate(reading.tokens) if at not in covered and t.number is not None]
    return int(numbers[0]) if len(numbers) == 1 and numbers[0] == int(numbers[0]) and 0 < numbers[0] <= 1_000 else None


def _rest(base: Parts, edit: Edit) -> Parts:
    more = edit.parts
    return replace(
        base,
        having=(*base.having, *(item for item in more.having if item not in base.having)),
        previous_unit=more.previous_unit or base.previous_unit,
        wants_week=more.wants_week or base.wants_week,
        wants_previous=more.wants_previous or (base.wants_previous and not more.wants_year),
        wants_year=more.wants_year or (base.wants_year and not more.wants_previous),
        share=base.share or more.share,
        growth=base.growth or more.growth,
        counted=more.counted or base.counted,
        chart=more.chart or base.chart,
        metric_choice=more.metric_choice if not more.metrics and not base.metrics else None,
        dimension_choice=more.dimension_choice,
        member_choice=more.member_choice,
        unused=_unless_limit(base, edit, more.unused),
        blocking=_unless_limit(base, edit, more.blocking),
    )


def _unless_limit(base: Parts, edit: Edit, words: tuple[str, ...]) -> tuple[str, ...]:
    used = _bare_limit(base, edit)
    return tuple(word for word in words if used is None or not word.isdigit() or int(word) != used)
