"""Numbers as they stand in prose, with their sign, precision, scale and kind."""

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from typing import Literal

from semantic_catalog.model import Locale

Kind = Literal["plain", "percent", "points"]
_SPACES = " \u00a0\u202f"
# (group, decimal) marks; Russian groups by spaces.
_MARKS: dict[Locale, tuple[str, str]] = {"en": (",", "."), "es": (".", ","), "ru": ("\u00a0\u202f ", ",")}
# Longest first: 'mil M' is a Spanish billion and 'mil' a thousand.
_SUFFIXES: dict[Locale, tuple[tuple[str, int], ...]] = {
    "en": (("billion", 9), ("million", 6), ("thousand", 3), ("bn", 9), ("B", 9), ("M", 6), ("K", 3)),
    "es": (("mil millones", 9), ("mil M", 9), ("millones", 6), ("millón", 6), ("mil", 3), ("M", 6)),
    "ru": (("миллиард\\w*", 9), ("миллион\\w*", 6), ("тысяч\\w*", 3), ("млрд", 9), ("млн", 6), ("тыс\\.?", 3)),
}
_POINTS = (
    r"percentage points?", r"points?", r"pp", r"puntos porcentuales", r"puntos?", r"п\.\s*п\.", r"п\.", r"процентн\w+"
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberToken:
    """One number of a text. `value` is scaled back to its full size; `tolerance` is half of its last shown place."""

    text: str
    value: Decimal
    tolerance: Decimal
    kind: Kind
    signed: bool


def number_tokens(text: str, locale: Locale) -> tuple[NumberToken, ...]:
    """Every number written in digits, in order. A hyphen or dash between two numbers is a range, not a minus."""
    found = tuple(_pattern(locale).finditer(text))
    tokens = [_token(match, locale) for match in found]
    for place in range(len(found) - 1):
        # In '81.2–91.4 %' the sign of the end is the start's too.
        if text[found[place].end() : found[place + 1].start()] in ("–", "-") and tokens[place].kind == "plain":
            tokens[place] = replace(tokens[place], kind=tokens[place + 1].kind)
    return tuple(tokens)


@cache
def _pattern(locale: Locale) -> re.Pattern[str]:
    group, mark = _MARKS[locale]
    suffixes = "|".join(word.replace(" ", rf"[{_SPACES}]") for word, _ in _SUFFIXES[locale])
    points = "|".join(word.replace(" ", rf"[{_SPACES}]") for word in _POINTS)
    return re.compile(
        rf"(?P<sign>(?<![\w)%])[−+-])?(?P<unit>(?:S/|US\$|[$€₽£])[{_SPACES}]?)?"
        rf"(?P<whole>\d{{1,3}}(?:[{group}]\d{{3}})+(?!\d)|\d+)(?:{re.escape(mark)}(?P<part>\d+))?"
        rf"(?:[{_SPACES}]?(?P<scale>{suffixes})(?!\w))?"
        rf"(?:[{_SPACES}]?(?:(?P<percent>%)|(?P<points>{points})(?!\w)))?"
    )


def _token(found: re.Match[str], locale: Locale) -> NumberToken:
    part = found["part"] or ""
    whole = re.sub(r"\D", "", found["whole"])
    power = _power(found["scale"], locale)
    value = Decimal(f"{whole}.{part}" if part else whole).scaleb(power)
    return NumberToken(
        text=found[0].strip(),
        value=-value if found["sign"] in ("-", "−") else value,
        tolerance=Decimal("0.5").scaleb(power - len(part)),
        kind="percent" if found["percent"] else "points" if found["points"] else "plain",
        signed=bool(found["sign"]),
    )


def _power(scale: str | None, locale: Locale) -> int:
    if scale is None:
        return 0
    plain = re.sub(rf"[{_SPACES}]", " ", scale)
    return next(power for word, power in _SUFFIXES[locale] if re.fullmatch(word, plain))
