"""Readers of the pattern language's slots: numbers, units, months, dates."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from agent.understanding.calendar import Span, unit_end
from agent.understanding.patterns import SlotReader
from agent.understanding.tokens import Token
from agent.understanding.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """A number of a condition; `percent` when a percent sign or word follows it."""

    value: Decimal
    percent: bool = False


_DASHES = frozenset({"-", "–", "—"})
_YEARS = range(1990, 2100)
_MOST = 1_000


def slot_readers(words: Vocabulary) -> Mapping[str, SlotReader]:
    """A reader for each slot, with the words of one language."""
    return {
        "n": lambda tokens, at: _counted(tokens, at, words),
        "word": lambda tokens, at: (at + 1, tokens[at].word),
        "amount": lambda tokens, at: _amount(tokens, at, words),
        "plain_amount": lambda tokens, at: None if _year(tokens, at) else _amount(tokens, at, words),
        "unit": _in_table(words.units),
        "month": _in_table(words.months),
        "sure_month": lambda tokens, at: _sure_month(tokens, at, words),
        "weekday": _in_table(words.weekdays),
        "ordinal": lambda tokens, at: _ordinal(tokens, at, words),
        "quarter": _in_table(words.quarters),
        "half": _in_table(words.halves),
        "year": _year,
        "yy": _short_year,
        "day": _day,
        "dash_day": lambda tokens, at: _day(tokens, at) if tokens[at].gap in _DASHES else None,
        "date": _date,
    }


def _in_table(table: Mapping[str, object]) -> SlotReader:
    def read(tokens: Sequence[Token], at: int) -> tuple[int, object] | None:
        value = table.get(tokens[at].word)
        return None if value is None else (at + 1, value)

    return read


def _whole(token: Token) -> int | None:
    return int(token.number) if token.number is not None and token.number == int(token.number) else None


def _counted(tokens: Sequence[Token], at: int, words: Vocabulary) -> tuple[int, object] | None:
    number = _whole(tokens[at]) or words.numbers.get(tokens[at].word)
    return (at + 1, number) if number is not None and 0 < number < _MOST else None


def _ordinal(tokens: Sequence[Token], at: int, words: Vocabulary) -> tuple[int, object] | None:
    number = words.ordinals.get(tokens[at].word) or _whole(tokens[at])
    return (at + 1, number) if number in range(1, 5) else None


def _amount(tokens: Sequence[Token], at: int, words: Vocabulary) -> tuple[int, object] | None:
    number = tokens[at].number
    if number is None:
        return None
    following = tokens[at + 1].word if at + 1 < len(tokens) else ""
    scale, percent = words.scales.get(following, 1), following in words.lists["percent"]
    return at + 1 + (percent or scale > 1), Amount(value=number * scale, percent=percent)


def _sure_month(tokens: Sequence[Token], at: int, words: Vocabulary) -> tuple[int, object] | None:
    month = words.months.get(tokens[at].word)
    doubtful = tokens[at].word in words.lists["doubtful_months"]
    return None if month is None or (doubtful and not _among_dates(tokens, at, words)) else (at + 1, month)


def _among_dates(tokens: Sequence[Token], at: int, words: Vocabulary) -> bool:
    """Whether the neighbours make an everyday word a month: 'in May', 'March to June', 'Jan-Mar', or nothing else."""
    before = tokens[at - 1].word if at else ""
    after = tokens[at + 1].word if at + 1 < len(tokens) else ""
    alone = len(tokens) == 1
    return alone or before in words.lists["before_month"] or before in words.months or after in words.lists["to"]


def _year(tokens: Sequence[Token], at: int) -> tuple[int, object] | None:
    """`2026`, and `FY2026` or `FY26`, which end in December here."""
    found = re.fullmatch(r"(?:fy)?(\d{4})|fy(\d{2})", tokens[at].word)
    year = int(found[1] or f"20{found[2]}") if found else 0
    return (at + 1, year) if year in _YEARS else None


def _short_year(tokens: Sequence[Token], at: int) -> tuple[int, object] | None:
    """`26` of `Oct-26` and `oct'26`."""
    token = tokens[at]
    return (at + 1, 2000 + int(token.text)) if token.is_glued and re.fullmatch(r"\d{2}", token.text) else None


def _day(tokens: Sequence[Token], at: int) -> tuple[int, object] | None:
    text = re.sub(r"(?<=\d)(st|nd|rd|th)$", "", tokens[at].word)
    return (at + 1, int(text)) if re.fullmatch(r"\d{1,2}", text) and 1 <= int(text) <= 31 else None


def _date(tokens: Sequence[Token], at: int) -> tuple[int, object] | None:
    parts = [int(part) for part in re.split(r"[./-]", tokens[at].text) if part.isdigit()]
    written = re.fullmatch(r"\d{4}-\d{1,2}(-\d{1,2})?|\d{1,2}/\d{4}|\d{1,2}[./-]\d{1,2}[./-]\d{4}", tokens[at].text)
    span = _span(parts) if written else None
    return None if span is None else (at + 1, span)


def _span(parts: list[int]) -> Span | None:
    for order in _orders(parts):
        try:
            start = date(*order)
        except ValueError:
            continue
        return Span(start=start, end=start if len(parts) == 3 else unit_end(start, "month"))
    return None


def _orders(parts: list[int]) -> list[tuple[int, int, int]]:
    """Year, month, day as the parts may mean them, the likeliest first: the day comes first, as we write dates."""
    if len(parts) == 2:
        year, month = sorted(parts, reverse=True)
        return [(year, month, 1)]
    if parts[0] > 31:
        return [(parts[0], parts[1], parts[2])]
    first, second, year = parts
    return [(year, second, first), (year, first, second)]
