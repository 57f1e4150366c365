"""What a person told the product about their own words and habits. It is theirs alone."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from agent.values.identity import PrincipalId

TaughtSlot = Literal["metric", "dimension", "member", "domain", "period", "chart", "limit", "locale"]
TaughtBy = Literal["said", "clarification", "thumbs_up"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What a clarification or a sentence settled: `words` (folded, may be empty) stand for `value` in `domain`.

    `value` is what a clarification's option carries: a metric's or dimension's name, `dimension=member`, a domain's
    name, words for a period, a chart kind, a number of rows or a locale. Without words it is a habit.
    """

    slot: TaughtSlot
    value: str
    words: str = ""
    domain: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalMemory:
    """One confirmed meaning or habit of `person`. Instants are aware; it lapses when it was not used for long."""

    id: str
    person: PrincipalId
    meaning: Meaning
    source: TaughtBy
    learnt_at: datetime
    used_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """How much of a person was deleted, by what it was."""

    questions: int = 0
    results: int = 0
    files: int = 0
    memories: int = 0
    opinions: int = 0
