"""How far ahead a message asks to look: 'for the next 6 months', 'a 3 meses', 'до конца года'."""

import re
from dataclasses import dataclass
from datetime import date
from functools import cache
from math import ceil
from typing import Literal

from agent.analysis.buckets import bucket_start, buckets_between, next_start
from semantic_catalog.model import TimeGrain

Unit = Literal["day", "week", "month", "quarter", "half_year", "year", "year_end"]
DEFAULTS: dict[TimeGrain, int] = {"day": 14, "week": 8, "month": 6}
"""Buckets ahead when a message names none."""

MOST: dict[TimeGrain, int] = {"day": 92, "week": 52, "month": 24}
"""No forecast reaches further ahead than so many buckets."""

_DAYS: dict[Unit, float] = {"day": 1, "week": 7, "month": 30.44, "quarter": 91.3, "half_year": 182.6, "year": 365.25}
_GRAIN_DAYS: dict[TimeGrain, float] = {"day": 1, "week": 7, "month": 30.44}
_MONTHS: dict[Unit, int] = {"month": 1, "quarter": 3, "half_year": 6, "year": 12}

_UNITS: tuple[tuple[Unit, str], ...] = (
    ("day", r"days?|d[ií]as?|день|дня|дней|дни"),
    ("week", r"weeks?|semanas?|недел\w+"),
    ("month", r"months?|mes(?:es)?|месяц\w*"),
    ("quarter", r"quarters?|trimestres?|квартал\w*"),
    ("half_year", r"half[ -]year|semestres?|полугоди\w+|полгода"),
    ("year", r"years?|años?|год|года|лет"),
)
_NUMBERS = (
    r"one|a|an|un|una|uno|один|одну", r"two|dos|два|две|a couple of|couple of", r"three|tres|три",
    r"four|cuatro|четыре", r"five|cinco|пять", r"six|seis|шесть", r"seven|siete|семь", r"eight|ocho|восемь",
    r"nine|nueve|девять", r"ten|diez|десять", r"eleven|once|одиннадцать", r"twelve|doce|двенадцать",
)  # fmt: skip
_LEAD = r"(?:(?:for|over|in|during|by|out|to|a|para|en|por|durante|con|на|за|в|of)\s+)?(?:(?:the|los|las|el|la)\s+)?"
_COMING = r"(?:next|coming|following|upcoming|pr[oó]xim\w+|siguientes?|следующ\w+|ближайш\w+|предстоящ\w+)"
_AHEAD = r"(?:\s+(?:ahead|out|forward|more|m[aá]s|adelante|hacia adelante|вперед|вперёд))?"
_PAST = r"(?<!\w)(?:last|past|previous|prior|[uú]ltim\w+|pasad\w+|anterior\w*|последн\w+|прошл\w+|предыдущ\w+)\s+"
_YEAR_END = (
    r"(?:to|till|until|through|by)\s+(?:the\s+)?(?:end\s+of\s+(?:the\s+|this\s+)?year|year[ -]?end)",
    r"(?:a|hasta)\s+(?:el\s+)?(?:fin|final|cierre)(?:es)?\s+de(?:l)?\s+año",
    r"до\s+конца\s+(?:этого\s+)?года",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Horizon:
    """`count` units ahead, and where in the text that is said (end excluded)."""

    count: int
    unit: Unit
    start: int
    end: int


def horizon_in(text: str) -> Horizon | None:
    """The first horizon that the text names, in any of the three languages; spans of the past are none."""
    for unit, pattern in _patterns():
        for found in pattern.finditer(text):
            if found.group("past") is None:
                return Horizon(count=_count(found), unit=unit, start=found.start(), end=found.end())
    return None


def without_horizon(text: str, instead: str) -> str:
    """The text with `instead` where its horizon was; the text itself when it names none."""
    found = horizon_in(text)
    return text if found is None else f"{text[: found.start]} {instead} {text[found.end :]}".strip()


def buckets_ahead(horizon: Horizon | None, grain: TimeGrain, last: date) -> int:
    """How many buckets after the one that starts on `last` are wanted: at least one, at most `MOST`."""
    return min(max(_wanted(horizon, grain, last), 1), MOST[grain])


def future_starts(last: date, grain: TimeGrain, count: int) -> tuple[date, ...]:
    """The first days of the `count` buckets after the one that starts on `last`."""
    starts, start = [], bucket_start(last, grain)
    for _ in range(count):
        start = next_start(start, grain)
        starts.append(start)
    return tuple(starts)


def _wanted(horizon: Horizon | None, grain: TimeGrain, last: date) -> int:
    if horizon is None:
        return DEFAULTS[grain]
    if horizon.unit == "year_end":
        first = next_start(last, grain)
        return len(buckets_between(first, date(first.year, 12, 31), grain))
    if grain == "month" and horizon.unit in _MONTHS:
        return horizon.count * _MONTHS[horizon.unit]
    return ceil(horizon.count * _DAYS[horizon.unit] / _GRAIN_DAYS[grain] - 0.1)


@cache
def _patterns() -> tuple[tuple[Unit, re.Pattern[str]], ...]:
    number = "|".join((r"\d{1,3}", *(words for words in _NUMBERS)))
    # 'на квартал' names no number; 'в год' is not ahead.
    bare = [(unit, _compiled(rf"на\s+(?:{words}){_AHEAD}")) for unit, words in _UNITS if unit in _MONTHS]
    ends: list[tuple[Unit, re.Pattern[str]]] = [("year_end", _compiled(pattern)) for pattern in _YEAR_END]
    spans = [
        (
            unit,
            _compiled(
                rf"{_LEAD}(?:{_COMING}\s+(?:(?P<n>{number})\s+)?|(?P<m>{number})\s+(?:{_COMING}\s+)?)(?:{words}){_AHEAD}"
            ),
        )
        for unit, words in _UNITS
    ]
    halves: list[tuple[Unit, re.Pattern[str]]] = [
        ("half_year", _compiled(rf"{_LEAD}(?:half\s+a\s+year|medio\s+año|полгода){_AHEAD}"))
    ]
    return (*ends, *halves, *spans, *bare)


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?P<past>{_PAST})?(?<!\w){pattern}(?!\w)", re.IGNORECASE)


def _count(found: re.Match[str]) -> int:
    groups = found.groupdict()
    written = (groups.get("n") or groups.get("m") or "").lower()
    if not written:
        return 1
    if written.isdigit():
        return max(int(written), 1)
    return next(place for place, words in enumerate(_NUMBERS, start=1) if re.fullmatch(words, written))
