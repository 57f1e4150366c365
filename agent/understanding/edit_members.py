"""The members of the last question with what a message keeps, leaves out, swaps or lets go."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from agent.understanding.earlier import goes_back
from agent.understanding.edit import Edit, opens_swap
from agent.understanding.mentions import Mention, Reading
from agent.understanding.names import is_dimension, is_member
from agent.understanding.parts import Parts
from agent.understanding.stems import stem
from agent.understanding.tokens import tokenize
from agent.understanding.vocabulary import vocabulary
from agent.values.spec import MemberFilter
from semantic_catalog.model import DimensionName


def members_edited(base: Parts, edit: Edit) -> Parts:
    """The base with its filters as the message changes them."""
    if removes_filters(edit.reading):
        return _without_filters(base, edit)
    swapped = _swapped_members(base, edit)
    if swapped is not None:
        return swapped
    whole = all_of(edit.reading)
    base = replace(base, filters=tuple(item for item in base.filters if item.dimension not in whole))
    named = (item for item in edit.parts.filters if not _names_topic(item, base, edit))
    for wanted in (*named, *_numbered(base, edit)):
        base = _filtered(base, wanted, adds=edit.reading.has("add", "too"))
    return base


def _names_topic(wanted: MemberFilter, base: Parts, edit: Edit) -> bool:
    """'Back to the copper one': copper says which question, and is in it already."""
    if not goes_back(edit.reading) or not wanted.include:
        return False
    kept = [item for item in base.filters if item.include and item.dimension != wanted.dimension]
    own = _name_stems(wanted, edit)
    return any(own & _name_stems(item, edit) for item in kept)


def _name_stems(item: MemberFilter, edit: Edit) -> set[str]:
    locale, members = edit.reading.locale, edit.domain.dimension(item.dimension).members
    named = {member.value: (*member.names.label.values(), member.value) for member in members}
    words = (word for value in item.values for word in named.get(value, (value,)))
    return {stem(token.word, locale) for word in words for token in tokenize(word) if len(token.word) > 3}


def all_of(reading: Reading) -> set[DimensionName]:
    """'All brands': the dimensions of which no member is left out any more."""
    named = (mention for mention in reading.mentions if is_dimension(mention) and _all_before(reading, mention))
    return {DimensionName(term.name) for mention in named for term in mention.of_kind("dimension")}


def _all_before(reading: Reading, mention: Mention) -> int:
    """The place after an 'all' that stands right before, past an article; 0 where there is none."""
    words = vocabulary(reading.locale)
    at = mention.start - 1
    while at > 0 and reading.tokens[at].word in words.connectors:
        at -= 1
    return at + 1 if at >= 0 and reading.tokens[at].word in words.lists["all_words"] else 0


def split_by_all(reading: Reading) -> set[DimensionName]:
    """'By all companies' keeps none out and splits by them."""
    named = [(m, _all_before(reading, m)) for m in reading.mentions if is_dimension(m)]
    ends = {mark.end + 1 for mark in reading.with_rule("by")}
    return {DimensionName(t.name) for m, at in named if at in ends for t in m.of_kind("dimension")}


def _swapped_members(base: Parts, edit: Edit) -> Parts | None:
    """'replace Visa with Amex': of two members of one dimension, the first one goes."""
    pairs = [item for item in edit.parts.filters if item.include and len(item.values) == 2]
    if not opens_swap(edit.reading) or len(pairs) != 1:
        return None
    [pair], (old, new) = pairs, pairs[0].values
    return replace(base, filters=tuple(_exchanged(item, old, new) if item.dimension == pair.dimension else item
                                       for item in base.filters))  # fmt: skip


def _exchanged(item: MemberFilter, old: str, new: str) -> MemberFilter:
    return replace(item, values=tuple(dict.fromkeys(new if value == old else value for value in item.values)))


def _numbered(base: Parts, edit: Edit) -> tuple[MemberFilter, ...]:
    """'exclude 51', where the answer is split by codes and 51 is one of them."""
    named = member_codes(edit.reading, base.dimensions)
    kept = not edit.reading.has("exclude", "remove")
    return tuple(MemberFilter(dimension=name, values=(value,), include=kept) for name, value in named[:1])


def member_codes(reading: Reading, dimensions: Sequence[DimensionName]) -> tuple[tuple[DimensionName, str], ...]:
    """Bare numbers next to 'exclude' or 'only' that are members of these dimensions."""
    if not reading.has("exclude", "remove", "only") or reading.has("limit_word"):
        return ()
    numbers = (m for m in reading.mentions if m.end - m.start == 1 and reading.tokens[m.start].number is not None)
    terms = (term for mention in numbers for term in mention.of_kind("member"))
    return tuple((DimensionName(t.name), t.value) for t in terms if t.name in dimensions)


def removes_filters(reading: Reading) -> bool:
    """Whether filters are taken off by that word."""
    return reading.has("filter_word") and reading.has("remove", "exclude")


def _without_filters(base: Parts, edit: Edit) -> Parts:
    """'remove the channel filter', 'remove the filters'; what 'only' keeps in the same message is kept."""
    named = {DimensionName(t.name) for m in edit.reading.mentions if is_dimension(m) for t in m.of_kind("dimension")}
    members, wanted = members_to_go(edit.reading), _kept_by_only(edit.reading)
    held = {item.dimension for item in base.filters for value in item.values if (item.dimension, value) in members}
    gone, everything = named | held, not named and not members
    kept = tuple(item for item in base.filters if not everything and item.dimension not in gone)
    base = replace(base, filters=kept, having=() if everything else base.having)
    for item in _filters_of(wanted):
        base = _filtered(base, item, adds=False)
    return base


def members_to_go(reading: Reading) -> set[tuple[DimensionName, str]]:
    """The members whose filters are to be taken off."""
    kept = _kept_by_only(reading)
    named = (m for m in reading.mentions if is_member(m) and m not in kept)
    return {(DimensionName(t.name), t.value) for m in named for t in m.of_kind("member")}


def _kept_by_only(reading: Reading) -> tuple[Mention, ...]:
    """The members in a row after an 'only'."""
    kept: list[Mention] = []
    for mark in reading.with_rule("only"):
        later = (each for each in reading.mentions if each.start >= mark.end)
        kept.extend(takewhile(is_member, later))
    return tuple(kept)


def _filters_of(mentions: Sequence[Mention]) -> Iterator[MemberFilter]:
    """One filter a dimension; none for a word that is a member of several."""
    values: dict[DimensionName, list[str]] = {}
    for mention in mentions:
        terms = mention.of_kind("member")
        if len({term.name for term in terms}) == 1:
            values.setdefault(DimensionName(terms[0].name), []).extend(term.value for term in terms)
    for name, each in values.items():
        yield MemberFilter(dimension=name, values=tuple(dict.fromkeys(each)))


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
