"""Which domain a message is about."""

from collections.abc import Sequence
from dataclasses import dataclass

from agent.understanding.book import Book
from agent.understanding.leftover import unknown_split, unused_positions
from agent.understanding.lexicon import Lexicon
from agent.understanding.mentions import Mention, Reading, all_small_words, read_mentions
from agent.understanding.tokens import Token
from agent.values.identity import Principal
from semantic_catalog.model import Domain, DomainName, Locale

_PLAINLY = 3
_UNKNOWN_SPLIT = 2
_WEIGHTS = {"metric": 3, "vague": 1, "dimension": 1, "member": 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """The message read in one domain's words; `score` is how much of it those words explain."""

    domain: Domain
    lexicon: Lexicon
    reading: Reading
    score: int


def read_domains(tokens: Sequence[Token], book: Book, locale: Locale) -> tuple[Candidate, ...]:
    """The message in the words of every domain, the one that explains most first."""
    candidates = [_candidate(domain, tokens, book, locale) for domain in book.catalog.domains]
    return tuple(sorted(candidates, key=lambda candidate: -candidate.score))


def _candidate(domain: Domain, tokens: Sequence[Token], book: Book, locale: Locale) -> Candidate:
    lexicon = book.lexicons[domain.name]
    reading = read_mentions(tokens, lexicon, locale)
    telling = [mention for mention in reading.mentions if not _is_small(reading, mention)]
    score = sum(_weight(mention) for mention in telling) + _labels(reading, lexicon) - _unknown(reading)
    return Candidate(domain=domain, lexicon=lexicon, reading=reading, score=max(score, 0))


def _unknown(reading: Reading) -> int:
    """What it tells against a domain that it does not know what the answer is to be split by."""
    return _UNKNOWN_SPLIT * len(unknown_split(reading, unused_positions(reading)))


def _is_small(reading: Reading, mention: Mention) -> bool:
    """'who' names the suppliers of one domain and tells nothing of which domain is meant."""
    return all(token.word in all_small_words() for token in reading.tokens[mention.start : mention.end])


def _labels(reading: Reading, lexicon: Lexicon) -> int:
    """A domain's own label speaks louder than a synonym of another's."""
    named = [mention for mention in reading.mentions if mention.kind == "name"]
    return sum(lexicon.is_label(reading.tokens[mention.start : mention.end], reading.locale) for mention in named)


def _weight(mention: Mention) -> int:
    strongest = max((_WEIGHTS[term.kind] for term in mention.terms), default=0)
    return strongest * (mention.end - mention.start)


def permitted(candidates: Sequence[Candidate], principal: Principal) -> tuple[Candidate, ...]:
    """The candidates whose domain the asker may see."""
    return tuple(candidate for candidate in candidates if candidate.domain.name in principal.domains)


def choose(allowed: Sequence[Candidate], preferred: DomainName | None) -> tuple[Candidate, ...]:
    """The best candidate alone; several when they explain the message equally well and none is preferred."""
    if allowed[0].score == 0 and preferred is not None:
        return _named(allowed, preferred)
    best = _least_left([candidate for candidate in allowed if candidate.score == allowed[0].score])
    for candidate in best:
        if candidate.domain.name == preferred or len(best) == 1:
            return (candidate,)
    return (allowed[0],) if allowed[0].score == 0 else tuple(best)


def _least_left(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Of candidates that explain the message equally well, those that leave the fewest words over."""
    left = [len(unused_positions(candidate.reading)) for candidate in candidates]
    return [candidate for candidate, count in zip(candidates, left, strict=True) if count == min(left)]


def explains_better(best: Candidate, own: Candidate) -> bool:
    """Whether a domain explains the message so plainly that the asker must mean it: by a metric's or a member's whole
    name, and by much more than their own domain does."""
    telling = [m for m in best.reading.mentions if m.exact and (m.of_kind("metric") or m.of_kind("member"))]
    return bool(telling) and (best.score >= own.score + _PLAINLY or (own.score == 0 and best.score > 1))


def _named(candidates: Sequence[Candidate], name: DomainName) -> tuple[Candidate, ...]:
    return tuple(c for c in candidates if c.domain.name == name) or (candidates[0],)
