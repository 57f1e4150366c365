"""What will be asked: every conversation of a seed, decided before the first word."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from babel.dates import format_date

Platform = Literal["slack", "teams"]
Kind = Literal[
    "approved", "paired", "changed", "clarified", "modelled", "for_another", "stopped", "taken_back", "unread"
]
KINDS: tuple[Kind, ...] = (
    *(("approved",) * 7),
    "approved", "paired", "paired", "changed", "changed", "clarified", "clarified", "modelled", "modelled",
    "for_another", "for_another", "stopped", "stopped", "taken_back", "unread",
)  # fmt: skip
METRICS = ("processed amount", "approval rate", "average ticket", "declined transactions")
READ_BY_MODEL = "approval rate"
FIRST_DAY = date(2026, 8, 1)
DAYS = 90
BRANDS = ("Visa", "Mastercard", "Amex")
CHANGE = "only Visa"


@dataclass(frozen=True, kw_only=True)
class Question:
    """What is asked, and how the day of its answer is written; empty where the asker is asked for it."""

    text: str
    day: str = ""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """One conversation. No two questions of a seed are the same, but for those that lack a period.

    `asker` is a principal of the policy and `signer` who may approve; `is_private` where only its asker reads.
    """

    number: int
    platform: Platform
    kind: Kind
    questions: tuple[Question, ...]
    asker: str
    signer: str
    is_private: bool
    is_doubled: bool
    is_pressed_late: bool
    has_stranger: bool

    @property
    def name(self) -> str:
        """Of the conversation, in this seed."""
        return f"{self.number:04d}"


def plans(chance: random.Random, count: int) -> Iterator[Plan]:
    """So many conversations, one in three of them in Teams."""
    asked = [(metric, FIRST_DAY + timedelta(days=number)) for metric in METRICS for number in range(DAYS)]
    chance.shuffle(asked)
    kinds = [KINDS[number % len(KINDS)] for number in range(count)]
    chance.shuffle(kinds)
    for number, kind in enumerate(kinds):
        is_private = kind != "for_another" and chance.random() < 0.2
        asker = "bob" if kind == "for_another" else f"eve{number:04d}" if is_private else "ana"
        yield Plan(
            number=number,
            platform="teams" if number % 3 == 2 else "slack",
            kind=kind,
            questions=tuple(_questions(kind, number, asked)),
            asker=asker,
            signer="ana" if asker == "bob" else asker,
            is_private=is_private,
            is_doubled=chance.random() < 0.5,
            is_pressed_late=chance.random() < 0.3,
            has_stranger=not is_private and chance.random() < 0.4,
        )


def _questions(kind: Kind, number: int, asked: list[tuple[str, date]]) -> Iterator[Question]:
    match kind:
        case "unread":
            yield Question(text=f"zorble the flimmers of quux {number}")
        case "clarified":
            yield Question(text=f"{METRICS[number % len(METRICS)]} by channel of {BRANDS[number % len(BRANDS)]}")
        case "modelled":
            place = next(place for place, (metric, _) in enumerate(asked) if metric == READ_BY_MODEL)
            _, day = asked.pop(place)
            yield Question(text=f"How healthy were authorisations per sales avenue on {_words(day)}?", day=_short(day))
        case "paired":
            yield from (_catalog_question(asked) for _ in range(2))
        case _:
            yield _catalog_question(asked)


def _catalog_question(asked: list[tuple[str, date]]) -> Question:
    metric, day = asked.pop()
    return Question(text=f"{metric} by channel on {_words(day)}", day=_short(day))


def _words(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def _short(day: date) -> str:
    return format_date(day, "d MMM y", locale="en_GB")
