"""'The lowest and the highest price': a word joined by 'and' that borrows the rest of its neighbour's name."""

from collections.abc import Iterator
from dataclasses import replace

from agent.understanding.lexicon import Lexicon, Term
from agent.understanding.mentions import Mention, Reading, all_small_words
from agent.understanding.names import is_member, is_metric
from agent.understanding.vocabulary import vocabulary

_QUALIFIERS = ("high", "low")


def coordinated(reading: Reading, lexicon: Lexicon) -> Reading:
    """The reading with such words as the metrics that they name together with their neighbour's words."""
    for metric in [mention for mention in reading.mentions if is_metric(mention)]:
        for start, end in _joined_words(reading, metric):
            terms = _borrowed(reading, metric, (start, end), lexicon)
            if terms:
                named = Mention(kind="name", start=start, end=end, terms=terms)
                kept = tuple(m for m in reading.mentions if m.end <= start or m.start >= end)
                reading = replace(reading, mentions=tuple(sorted((*kept, named), key=lambda m: m.start)))
    return _with_listed_members(reading, lexicon)


def _with_listed_members(reading: Reading, lexicon: Lexicon) -> Reading:
    """'Administrative and selling expenses': the second member's word borrows the first one's noun."""
    for member in [mention for mention in reading.mentions if is_member(mention) and mention.end - mention.start > 1]:
        for start, end in _words_after_and(reading, member.end):
            said, own = reading.tokens[start:end], reading.tokens[member.start : member.end]
            found = [lexicon.terms_of(noun + said, reading.locale) for noun in (own[:1], own[-1:])]
            terms = next((t for t in found if t and _of_one_dimension(t, member)), ())
            if terms:
                named = Mention(kind="name", start=start, end=end, terms=terms)
                kept = tuple(m for m in reading.mentions if m.end <= start or m.start >= end)
                reading = replace(reading, mentions=tuple(sorted((*kept, named), key=lambda m: m.start)))
    return reading


def _of_one_dimension(terms: tuple[Term, ...], member: Mention) -> bool:
    own = {term.name for term in member.terms}
    return all(term.kind == "member" and term.name in own for term in terms) and terms != member.terms


def _words_after_and(reading: Reading, at: int) -> Iterator[tuple[int, int]]:
    words = vocabulary(reading.locale)
    if at + 1 < len(reading.tokens) and reading.tokens[at].word in words.lists["and"]:
        at += 1
        while at < len(reading.tokens) - 1 and reading.tokens[at].word in words.connectors:
            at += 1
        yield at, at + 1


def _joined_words(reading: Reading, metric: Mention) -> Iterator[tuple[int, int]]:
    """The words on the other side of an 'and' beside the metric: one that nothing names, or a ranking word."""
    and_words = vocabulary(reading.locale).lists["and"]
    tokens = reading.tokens
    if metric.start >= 2 and tokens[metric.start - 1].word in and_words:
        yield from _free(reading, metric.start - 2)
    if metric.end + 1 < len(tokens) and tokens[metric.end].word in and_words:
        at = metric.end + 1
        while at < len(tokens) - 1 and tokens[at].word in vocabulary(reading.locale).connectors:
            at += 1
        yield from _free(reading, at)


def _free(reading: Reading, at: int) -> Iterator[tuple[int, int]]:
    holder = next((m for m in reading.mentions if m.start <= at < m.end), None)
    if holder is not None and (holder.rule in _QUALIFIERS or is_member(holder)):
        yield holder.start, holder.end
    elif holder is None and reading.tokens[at].word not in all_small_words():
        yield at, at + 1


def _borrowed(reading: Reading, metric: Mention, words: tuple[int, int], lexicon: Lexicon) -> tuple[Term, ...]:
    """The metric that the words name in place of one word of the neighbour's name; none when it is the neighbour."""
    own = reading.tokens[metric.start : metric.end]
    said = reading.tokens[words[0] : words[1]]
    if len(own) < 2:
        return ()
    for left_out in range(len(own)):
        rest = own[:left_out] + own[left_out + 1 :]
        for together in (said + rest, rest + said):
            terms = tuple(t for t in lexicon.terms_of(together, reading.locale) if t.kind == "metric")
            if terms and terms != metric.of_kind("metric"):
                return terms
    return ()
