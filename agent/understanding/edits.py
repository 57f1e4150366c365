"""The last question with what a message changes in it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from agent.understanding.calendar import Span, shift
from agent.understanding.comparisons import compared, previous_year
from agent.understanding.earlier import goes_back
from agent.understanding.edit import Edit, opens_rather, opens_swap
from agent.understanding.edit_members import all_of, member_codes, members_edited, removes_filters, split_by_all
from agent.understanding.edit_metrics import metrics_edited, with_heard_removals
from agent.understanding.mentions import Mention, Reading, all_small_words
from agent.understanding.names import is_dimension
from agent.understanding.parts import Parts
from agent.understanding.sorting import TIME, sorted_as_said
from agent.understanding.tokens import Token
from agent.understanding.vocabulary import vocabulary
from agent.values.spec import Period, Threshold
from semantic_catalog.model import DimensionName


def edited(base: Parts, edit: Edit) -> Parts:
    """The base with everything the message changes."""
    steps: tuple[Callable[[Parts, Edit], Parts], ...] = (
        metrics_edited,
        _dimensions,
        members_edited,
        _grain,
        _period,
        _ranking,
        _rest,
        lambda base, edit: sorted_as_said(base, edit.reading),
    )
    edit = with_heard_removals(edit)
    for step in steps:
        base = step(base, edit)
    # What is left undivided has nothing to rank.
    return base if base.dimensions or base.grain or base.rank else replace(base, order=(), limit=None)


def _dimensions(base: Parts, edit: Edit) -> Parts:
    removed = _after_rule(edit.reading, "remove", "exclude") | _given_up(edit.reading) | _swapped(edit)
    named = tuple(name for name in _splits(edit) if name not in removed)
    if removed:
        base = _without(base, removed)
    if not named:
        return base
    another = edit.parts.metrics or goes_back(edit.reading)
    if edit.reading.has("instead", "change_to") and not removed:
        return replace(base, dimensions=named, grain=base.grain if base.dimensions or edit.parts.grain else None)
    if removed or edit.reading.has("add", "too"):
        return replace(base, dimensions=tuple(dict.fromkeys((*base.dimensions, *named))))
    if _replaces_split(edit) or another or _ranks_split(edit):
        return replace(base, dimensions=named)
    return replace(base, dimensions=tuple(dict.fromkeys((*base.dimensions, *named))))


def _splits(edit: Edit) -> tuple[DimensionName, ...]:
    """What the message splits by; 'only Visa and Amex' keeps two members and splits by nothing new."""
    if removes_filters(edit.reading):
        return ()
    whole = all_of(edit.reading)
    if whole:
        whole -= split_by_all(edit.reading)
        return tuple(name for name in edit.parts.dimensions if name not in whole)
    if not edit.reading.has("only", "exclude", "remove", "instead", "change_to") and not opens_swap(edit.reading):
        return edit.parts.dimensions
    said = {t.name for m in edit.reading.mentions if is_dimension(m) for t in m.of_kind("dimension")}
    return tuple(name for name in edit.parts.dimensions if name in said)


def _swapped(edit: Edit) -> set[DimensionName]:
    """'replace the channel with the brand': the dimension named first of two."""
    named = [m for m in edit.reading.mentions if is_dimension(m)]
    if len(named) < 2 or not opens_swap(edit.reading):
        return set()
    return {DimensionName(term.name) for term in named[0].of_kind("dimension")}


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
    return _named_after(reading, reading.with_rule(*rules))


def _named_after(reading: Reading, marks: Iterable[Mention]) -> set[DimensionName]:
    following = (_after_by(reading, mark) for mark in marks)
    return {DimensionName(t.name) for m in following if m and is_dimension(m) for t in m.of_kind("dimension")}


def _given_up(reading: Reading) -> set[DimensionName]:
    """What 'instead of' is followed by; after 'instead', 'instead of that' or 'better' stands what comes."""
    words = vocabulary(reading.locale).lists
    comes = words["comes_after"], words["demonstratives"]
    marks = (
        mark
        for mark in reading.with_rule("instead")
        if reading.tokens[mark.end - 1].word not in comes[0]
        and all(token.word not in comes[1] for token in reading.tokens[mark.end : mark.end + 1])
    )
    return _named_after(reading, marks)


def _after_by(reading: Reading, mark: Mention) -> Mention | None:
    """What follows, past a 'by' of its own: 'instead of by channel'."""
    later = reading.after(mark)
    return reading.after(later) if later is not None and later.rule == "by" else later


def _replaces_split(edit: Edit) -> bool:
    """'now split Dairy by account': what is named next to a member of the old split takes its place."""
    opens = any(mention.start == 0 for mention in edit.reading.with_rule("now"))
    return opens and bool(edit.parts.filters)


def _ranks_split(edit: Edit) -> bool:
    """'Top 3 by region' ranks the regions, not what the answer was split by before."""
    return edit.parts.rank is not None and edit.parts.rank.limit is not None


def _grain(base: Parts, edit: Edit) -> Parts:
    if base.grain is not None and removes_unit(edit.reading):
        return replace(base, grain=None, order=tuple(item for item in base.order if item.by != TIME))
    if edit.parts.grain is None:
        return replace(base, trend=base.trend or edit.parts.trend)
    replaces = edit.reading.has("instead", "change_to") and not edit.parts.dimensions and base.grain is None
    changed = replace(base, grain=edit.parts.grain, dimensions=() if replaces else base.dimensions)
    # A ranking of members does not outlive its split, and a series runs in time.
    return changed if changed.dimensions else replace(changed, order=(), limit=None)


def removes_unit(reading: Reading) -> bool:
    """'without the months', 'remove the week': a bucket and no period of its own."""
    units = vocabulary(reading.locale).units
    marks = reading.with_rule("remove", "exclude")
    after = (reading.tokens[mark.end : mark.end + 3] for mark in marks)
    return any(_first_content(tokens) in units for tokens in after)


def _first_content(tokens: Sequence[Token]) -> str:
    small = all_small_words()
    return next((token.word for token in tokens if token.word not in small), "")


def _period(base: Parts, edit: Edit) -> Parts:
    wanted = edit.parts.period
    if edit.reading.has("compare") and edit.reading.has("remove", "exclude") and wanted is None:
        return replace(base, comparison=None, wants_previous=False, wants_year=False, wants_week=False)
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
    if rank is None or (rank.limit is None and opens_rather(edit.reading)):
        return replace(base, limit=_bare_limit(base, edit) or base.limit)
    if rank.direction in ("top", "bottom") and base.order and rank.limit:
        order = base.order if rank.direction == "top" else tuple(replace(o, descending=False) for o in base.order)
        return replace(base, order=order, limit=rank.limit)
    limit = rank.limit or _bare_limit(base, edit)
    return replace(base, rank=replace(rank, limit=limit), order=(), limit=limit or base.limit)


def _bare_limit(base: Parts, edit: Edit) -> int | None:
    """'limit 3', or a lone number where there was a limit."""
    if not (edit.reading.has("limit_word") or base.limit or edit.parts.rank):
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
        having=_having(base, more),
        previous_unit=more.previous_unit or base.previous_unit,
        wants_week=more.wants_week or base.wants_week,
        wants_previous=more.wants_previous or (base.wants_previous and not more.wants_year),
        wants_year=more.wants_year or (base.wants_year and not more.wants_previous),
        share=base.share or more.share,
        moved=more.moved,
        growth=base.growth or (more.growth and not opens_swap(edit.reading)),
        counted=more.counted or base.counted,
        chart=more.chart or base.chart,
        metric_choice=more.metric_choice if not more.metrics and not base.metrics else None,
        dimension_choice=more.dimension_choice,
        member_choice=more.member_choice,
        unused=_unless_used(base, edit, more.unused),
        blocking=_unless_used(base, edit, more.blocking),
    )


def _having(base: Parts, more: Parts) -> tuple[Threshold, ...]:
    """A new condition on the same figure takes the old one's place: what fell did not rise."""
    new = {(item.metric, item.of) for item in more.having}
    return (*(item for item in base.having if (item.metric, item.of) not in new), *more.having)


def _unless_used(base: Parts, edit: Edit, words: tuple[str, ...]) -> tuple[str, ...]:
    """Without a number that became a limit or a member, and without the word that opens a swap."""
    limit = _bare_limit(base, edit)
    used = {str(limit), *(value for _, value in member_codes(edit.reading, base.dimensions))}
    return tuple(word for word in words if word not in used)
