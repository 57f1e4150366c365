"""A message as it is heard: its language, its words corrected, its domain, and what it is read in."""

from collections.abc import Sequence
from dataclasses import dataclass

from agent.forecasting.horizon import Horizon
from agent.understanding.book import Book
from agent.understanding.domains import Candidate, choose, permitted, read_domains
from agent.understanding.elided import with_said_units
from agent.understanding.language import detect
from agent.understanding.lexicon import Lexicon
from agent.understanding.mentions import Reading, requests_in
from agent.understanding.patterns import Found
from agent.understanding.spelling import Correction
from agent.understanding.taking_back import topic_rules
from agent.understanding.tokens import Token, tokenize
from agent.values.identity import Principal
from agent.values.memory import Question
from agent.values.spec import Option
from semantic_catalog.model import Domain, DomainName, Locale


@dataclass(frozen=True, slots=True, kw_only=True)
class Hearing:
    """`best` explains the message best of all domains, `candidates` are those the asker may see that explain it best.

    `candidates` is empty for a person without a domain. `near` are members whose names look like unknown words.
    `horizon` is how far ahead the message asks to look; the reading is without it.
    """

    question: Question
    principal: Principal
    book: Book
    locale: Locale
    requests: tuple[Found, ...]
    corrections: tuple[Correction, ...]
    best: Candidate
    candidates: tuple[Candidate, ...]
    reading: Reading
    near: tuple[Option, ...] = ()
    horizon: Horizon | None = None

    @property
    def domain(self) -> Domain:
        """The domain the message is read in."""
        return self._own.domain

    @property
    def lexicon(self) -> Lexicon:
        """The names of that domain."""
        return self._own.lexicon

    @property
    def _own(self) -> Candidate:
        return self.candidates[0] if self.candidates else self.best


def hear(question: Question, principal: Principal, book: Book) -> Hearing:
    """Reads the message's words; decides nothing that needs the warehouse."""
    typed = tokenize(question.text)
    locale = detect(typed, question.text, _fallback(question, principal), book.own_words)
    tokens, corrections = book.speller.correct(with_said_units(typed, locale), locale)
    everywhere = read_domains(tokens, book, locale)
    allowed = permitted(everywhere, principal)
    candidates = choose(allowed, _preferred(question, tokens)) if allowed else ()
    own = candidates[0] if candidates else everywhere[0]
    return Hearing(
        question=question,
        principal=principal,
        book=book,
        locale=locale,
        requests=requests_in(tokens, locale),
        corrections=corrections,
        best=everywhere[0],
        candidates=candidates,
        reading=own.reading,
    )


def _fallback(question: Question, principal: Principal) -> Locale:
    last = question.memory.last
    return question.locale or (last.locale if last else None) or principal.locale or "en"


def _preferred(question: Question, tokens: Sequence[Token]) -> DomainName | None:
    """The domain that was chosen, else that of the question gone back to, else the one talked about last."""
    chosen = [value for slot, value in question.pinned if slot == "domain"]
    if chosen:
        return DomainName(chosen[-1])
    asked = [run.spec.domain for run in question.memory.runs if run.spec]
    return asked[_gone_back(tokens, asked)] if asked else None


def _gone_back(tokens: Sequence[Token], asked: Sequence[DomainName]) -> int:
    """Which question the message goes on from: the first, the one before a change of topic, or the last."""
    rules = topic_rules(tokens)
    if "back_to_first" in rules:
        return 0
    others = [at for at, domain in enumerate(asked) if domain != asked[-1]]
    return others[-1] if "back_to" in rules and others else len(asked) - 1
