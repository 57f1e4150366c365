"""'Send me this every Monday at 9:00, only if the approval rate is under 85 %': when, and under what condition."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import time
from functools import cache
from importlib.resources import files
from typing import Any, get_args
from zoneinfo import available_timezones

import yaml

from agent.understanding.tokens import fold
from agent.values.schedule import Frequency, Recurrence
from semantic_catalog.model import LOCALES, Locale

USUAL_TIME = time(9)
"""When a wish names no time."""

_NOON = 12
_MOST_LETTERS = 500
_ZONE = re.compile(r"\b[A-Za-z]+(?:_[A-Za-z]+)*/[A-Za-z_/+\-0-9]*[A-Za-z0-9]\b|\bUTC\b")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleWish:
    """What was asked for. `timezone` is empty where none was named; `condition` are the words after 'only if'."""

    every: Frequency
    at: time
    locale: Locale
    weekday: int = 0
    month_day: int = 1
    timezone: str = ""
    condition: str = ""

    def recurrence(self, timezone: str) -> Recurrence:
        """The wish as wall-clock times, in its own zone or else in `timezone`."""
        return Recurrence(
            every=self.every,
            at=self.at,
            timezone=self.timezone or timezone,
            weekday=self.weekday,
            month_day=self.month_day,
        )


def read_wish(text: str, *, whole: bool = True) -> ScheduleWish | None:
    """The wish that the whole message is, in any of the languages; None for anything else, questions above all.

    With `whole` False nothing but when (and the condition) needs to be said, as in a form.
    """
    if len(text) > _MOST_LETTERS:
        return None
    wishes = (_read(text, words, whole=whole) for words in _languages())
    return next((wish for wish in wishes if wish is not None), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    locale: Locale
    when: tuple[tuple[Frequency, re.Pattern[str]], ...]
    at: tuple[re.Pattern[str], ...]
    noon: re.Pattern[str]
    only_if: re.Pattern[str]
    weekdays: tuple[re.Pattern[str], ...]
    afternoon: frozenset[str]
    verbs: frozenset[str]
    fillers: frozenset[str]
    moves: frozenset[str]


def plain_condition(text: str) -> str:
    """The words of a condition without those that only move: 'falls below 85 %' is 'below 85 %'."""
    moves = frozenset(word for words in _languages() for word in words.moves)
    return " ".join(word for word in text.split() if fold(word) not in moves)


def _read(text: str, words: _Words, *, whole: bool) -> ScheduleWish | None:
    zone = _zone(text)
    rest = fold(text.replace(zone, " ") if zone else text)
    found = next(((every, hit) for every, pattern in words.when if (hit := pattern.search(rest))), None)
    if found is None:
        return None
    every, hit = found
    rest = _without(rest, hit)
    at, rest = _time(rest, words)
    rest, condition = _condition(rest, words)
    if at is None or not _is_wish(rest, words, whole=whole):
        return None
    named = hit.groupdict()
    month_day = _month_day(named.get("month_day"))
    return ScheduleWish(
        every=every,
        at=at,
        locale=words.locale,
        weekday=_weekday(named.get("weekday"), words),
        month_day=month_day,
        timezone=zone,
        condition=condition,
    )


def _is_wish(rest: str, words: _Words, *, whole: bool) -> bool:
    left = set(_WORD.findall(rest))
    return left <= words.verbs | words.fillers and (not whole or bool(left & words.verbs))


def _zone(text: str) -> str:
    named = _ZONE.search(text)
    return named[0] if named and named[0] in _zones() else ""


def _time(rest: str, words: _Words) -> tuple[time | None, str]:
    """The time and what is left; the usual time where none is named, None for a time that no clock shows."""
    noon = words.noon.search(rest)
    if noon:
        return time(_NOON), _without(rest, noon)
    hit = next((hit for pattern in words.at if (hit := pattern.search(rest))), None)
    if hit is None:
        return USUAL_TIME, rest
    return _clock(hit, words), _without(rest, hit)


def _clock(hit: re.Match[str], words: _Words) -> time | None:
    named = hit.groupdict()
    hour, minute, half = int(named["hour"]), int(named.get("minute") or 0), named.get("half")
    if half and hour <= _NOON:
        hour = hour % _NOON + (_NOON if half in words.afternoon else 0)
    return time(hour, minute) if hour < 24 and minute < 60 else None


def _condition(rest: str, words: _Words) -> tuple[str, str]:
    opened = words.only_if.search(rest)
    if opened is None:
        return rest, ""
    return rest[: opened.start()], rest[opened.end() :].strip(" ,;.")


def _weekday(said: str | None, words: _Words) -> int:
    return next((n for n, pattern in enumerate(words.weekdays) if said and pattern.fullmatch(said)), 0)


def _month_day(said: str | None) -> int:
    """The last day is the 31st: shorter months end before it."""
    if said is None:
        return 1
    return min(max(int(said), 1), 31) if said.isdecimal() else 31


def _without(text: str, hit: re.Match[str]) -> str:
    return f"{text[: hit.start()]} {text[hit.end() :]}"


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())


@cache
def _languages() -> tuple[_Words, ...]:
    return tuple(_compiled(locale) for locale in LOCALES)


def _compiled(locale: Locale) -> _Words:
    path = files("semantic_catalog").joinpath("global", "schedules", f"{locale}.yaml")
    written: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return _Words(
        locale=locale,
        when=tuple(_when(written)),
        at=tuple(_pattern(text) for text in written["at"]),
        noon=_pattern("|".join(written["noon"])),
        only_if=_pattern("|".join(sorted(written["only_if"], key=len, reverse=True))),
        weekdays=tuple(_pattern(text) for text in written["weekdays"]),
        afternoon=frozenset(written["afternoon"]),
        verbs=frozenset(written["verbs"]),
        fillers=frozenset(written["fillers"]),
        moves=frozenset(written["moves"]),
    )


def _when(written: Mapping[str, Any]) -> Iterator[tuple[Frequency, re.Pattern[str]]]:
    weekday = "|".join(written["weekdays"])
    for every in get_args(Frequency)[1:] + get_args(Frequency)[:1]:
        for text in written["when"][every]:
            yield every, _pattern(text.replace("{weekday}", weekday))


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{text})(?!\w)")
