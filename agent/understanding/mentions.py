"""The message cut into what each stretch of it is: a time, an operator, a name of the catalog."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from agent.understanding.lexicon import Lexicon, NameFound, Term
from agent.understanding.patterns import Found
from agent.understanding.slots import slot_readers
from agent.understanding.tokens import Token
from agent.understanding.vocabulary import Vocabulary, all_stop_words, vocabulary
from semantic_catalog.model import LOCALES, Locale


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """Tokens `start` to `end` (not included). `time` and `operator` carry `found`; `name` and `vague` carry `terms`.

    A name is `exact` when it stands word for word, and longer than a letter or two.
    """

    kind: str
    start: int
    end: int
    found: Found | None = None
    terms: tuple[Term, ...] = ()
    exact: bool = False

    @property
    def rule(self) -> str:
        """The name of the pattern; empty for a name of the catalog."""
        return self.found.name if self.found else ""

    def of_kind(self, kind: str) -> tuple[Term, ...]:
        """The metrics, dimensions or members it may be."""
        return tuple(term for term in self.terms if term.kind == kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A message, its language and its mentions in order, none overlapping. `subject` are stems that say nothing new."""

    tokens: tuple[Token, ...]
    locale: Locale
    mentions: tuple[Mention, ...]
    subject: frozenset[str] = frozenset()

    def text_of(self, start: int, end: int) -> str:
        """The words as typed."""
        return " ".join(token.text for token in self.tokens[start:end])

    def has(self, *rules: str) -> bool:
        """Whether any of these operators is there."""
        return any(mention.rule in rules for mention in self.mentions)

    def with_rule(self, *rules: str) -> tuple[Mention, ...]:
        """The operators or times of these rules, in order."""
        return tuple(mention for mention in self.mentions if mention.rule in rules)

    def before(self, mention: Mention) -> Mention | None:
        """The mention just before, with nothing but small words between."""
        earlier = [each for each in self.mentions if each.end <= mention.start]
        return earlier[-1] if earlier and self.is_close(earlier[-1], mention) else None

    def after(self, mention: Mention) -> Mention | None:
        """The mention just after, with nothing but small words between."""
        later = [each for each in self.mentions if each.start >= mention.end]
        return later[0] if later and self.is_close(mention, later[0]) else None

    def is_close(self, first: Mention, second: Mention) -> bool:
        """Whether only small words stand between the two."""
        between = self.tokens[first.end : second.start]
        return all(token.word in all_small_words() for token in between)


def opens_as_addition(reading: Reading) -> bool:
    """Whether the first word is 'and' or its like."""
    openers = vocabulary(reading.locale).lists["openers"]
    return bool(reading.tokens) and reading.tokens[0].word in openers


def read_mentions(tokens: Sequence[Token], lexicon: Lexicon, locale: Locale) -> Reading:
    """The best cut: longer stretches win, then times, names and operators in this order."""
    found = lexicon.find(tokens, locale)
    kept = (each for each in found if not _is_small(tokens, each) and (each.exact or _may_bend(tokens, each)))
    names = [_Ranked(_name(each), exact=each.exact) for each in kept]
    patterns = [_Ranked(mention) for mention in _pattern_mentions(tokens, locale)]
    timed = {at for each in patterns if each.mention.kind == "time" for at in _stretch(each.mention)}
    # 'in the first quarter' goes back to no first question.
    kept_patterns = (p for p in patterns if p.mention.rule != "back_to_first" or timed.isdisjoint(_stretch(p.mention)))
    ranked = [each.mention for each in sorted((*kept_patterns, *names), key=_Ranked.rank)]
    taken: set[int] = set()
    chosen: list[Mention] = []
    for mention in ranked:
        stretch = range(mention.start, mention.end)
        if taken.isdisjoint(stretch):
            taken.update(stretch)
            chosen.append(mention)
    mentions = tuple(sorted(chosen, key=lambda m: m.start))
    return Reading(tokens=tuple(tokens), locale=locale, mentions=mentions, subject=lexicon.subject[locale])


def _stretch(mention: Mention) -> range:
    return range(mention.start, mention.end)


@dataclass(frozen=True, slots=True)
class _Ranked:
    mention: Mention
    exact: bool = True

    def rank(self) -> tuple[int, int, int]:
        """Longer first; then times, names word for word, operators, names in another form, vague words."""
        order = _ORDER[self.mention.kind] if self.exact else max(_ORDER[self.mention.kind], _BENT)
        shorter = self.mention.start - self.mention.end - (_HEAD if self.mention.rule in _HEADS else 0)
        return shorter, order, self.mention.start


_ORDER = {"time": 0, "name": 1, "operator": 2, "vague": 4}
_BENT = 3
# 'running total' keeps its 'total' also where 'total of processed amount' is a name.
# 'for the first one' goes back also after an 'and' that could open 'and for'.
_HEADS = frozenset({"running_total", "moving_average", "chart_stacked", "back_to_first"})
_HEAD = 4
_BARE = "bare_"
_PARTING = ",;:.?!()"


def _is_small(tokens: Sequence[Token], found: NameFound) -> bool:
    """'it' is no member called IT, unless it is written as one."""
    token = tokens[found.start]
    alone = found.end - found.start == 1 and all(term.kind == "member" for term in found.terms)
    return alone and token.word in all_small_words() and not token.text.isupper()


def _may_bend(tokens: Sequence[Token], found: NameFound) -> bool:
    """A small word is not another form of a name: 'solo' is no 'sol'."""
    return found.end - found.start > 1 or tokens[found.start].word not in all_small_words()


def requests_in(tokens: Sequence[Token], locale: Locale) -> tuple[Found, ...]:
    """What the message as a whole may be about: a greeting, a command to change data …"""
    found = [hit for words in _vocabularies(locale) for hit in words.requests.find_all(tokens, slot_readers(words))]
    return tuple(found)


@cache
def all_small_words() -> frozenset[str]:
    """Words that may stand between two mentions that belong together."""
    return all_stop_words().union(*(vocabulary(locale).connectors for locale in LOCALES))


def _pattern_mentions(tokens: Sequence[Token], locale: Locale) -> list[Mention]:
    return [
        _found(hit, words)
        for words in _vocabularies(locale)
        for hit in words.patterns.find_all(tokens, slot_readers(words))
        if _repeats_unit(hit) and _is_unbroken(hit, tokens) and _has_its_place(hit, tokens)
    ]


def _has_its_place(hit: Found, tokens: Sequence[Token]) -> bool:
    """'Lines' is a chart where nothing else is said; 'and' goes on from the last question where it comes first."""
    if hit.name.startswith(_BARE):
        small = all_small_words()
        return all(hit.start <= at < hit.end or token.word in small for at, token in enumerate(tokens))
    return hit.name != "now" or hit.start == 0 or tokens[hit.start].word not in _all_and_words()


@cache
def _all_and_words() -> frozenset[str]:
    return frozenset().union(*(vocabulary(locale).lists["and"] for locale in LOCALES))


def _repeats_unit(hit: Found) -> bool:
    """'month by month' is a bucket; in 'last year by month' the two words belong to different things."""
    return len({value for name, value in hit.captures if name == "unit"}) <= 1


def _is_unbroken(hit: Found, tokens: Sequence[Token]) -> bool:
    """'by month, last quarter' holds no 'month last': a comma parts two times, unless it stands before a year."""
    gaps = (tokens[at].gap for at in range(hit.start + 1, hit.end) if not tokens[at].word.isdigit())
    return not any(mark in gap for gap in gaps for mark in _PARTING)


def _vocabularies(locale: Locale) -> tuple[Vocabulary, ...]:
    """The message's language, and English, whose short forms (YTD, top, vs) are used in every language."""
    return tuple(vocabulary(each) for each in dict.fromkeys((locale, "en")))


def _found(hit: Found, words: Vocabulary) -> Mention:
    kind = "time" if hit.name in words.time_rules else "operator"
    return Mention(kind=kind, start=hit.start, end=hit.end, found=hit)


def _name(found: NameFound) -> Mention:
    vague = all(term.kind == "vague" for term in found.terms)
    kind = "vague" if vague else "name"
    return Mention(kind=kind, start=found.start, end=found.end, terms=found.terms, exact=found.exact)
