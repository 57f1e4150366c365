"""Text as tokens: folded words, numbers as people write them, and what stood between them."""

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

_TOKEN = re.compile(
    r"""
    (?P<iso>\d{4}-\d{1,2}(?:-\d{1,2})?(?!\d))
  | (?P<date>\d{1,2}[./-]\d{1,2}[./-]\d{4}(?!\d)|\d{1,2}/\d{4}(?!\d))
  | (?P<number>(?:\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)|\d++(?:[.,]\d++)*+)(?:(?:k|mm|m|тыс|млн)(?![^\W_]))?)(?![^\W_])
  | (?P<word>[^\W_]+(?:_[^\W_]+)*)
  | (?P<sign>>=|<=|[><=%≥≤])
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SCALES = {"k": 1_000, "тыс": 1_000, "m": 1_000_000, "mm": 1_000_000, "млн": 1_000_000}
_QUOTES = "'\"«»“”‘’"


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """One word, number, date or sign. `gap` is what stood before it, without blanks; `number` its value, if any."""

    text: str
    word: str
    gap: str = ""
    number: Decimal | None = None

    @property
    def is_glued(self) -> bool:
        """Whether a hyphen or an apostrophe joins it to the token before, as in `e-commerce` and `oct'25`."""
        return self.gap in {"-", "'", "’", "/"}

    @property
    def is_quoted(self) -> bool:
        """Whether a quotation mark stands before it."""
        return bool(self.gap) and self.gap[-1] in _QUOTES


@lru_cache(maxsize=65_536)
def fold(text: str) -> str:
    """Lower case without accents; `ё` and `й` of Cyrillic stay told apart from other letters only as `е` and `й`."""
    decomposed = unicodedata.normalize("NFD", text.casefold())
    kept = "".join(c for c in decomposed if not unicodedata.combining(c) or c == "\u0306")
    return unicodedata.normalize("NFC", kept)


def tokenize(text: str) -> tuple[Token, ...]:
    """The tokens of a message, in order. Splits at hyphens; keeps dates, amounts and codes such as `10.4` whole."""
    tokens: list[Token] = []
    end = 0
    for match in _TOKEN.finditer(text):
        gap = text[end : match.start()]
        tokens.append(_token(match, gap if gap in {"-", "'", "’", "/"} else gap.strip()))
        end = match.end()
    return tuple(tokens)


_LOOKALIKES = str.maketrans("авекмнорстух", "abekmhopctyx")


def _plain_code(word: str) -> str:
    """A code such as `М1` is the same word in Cyrillic and in Latin letters."""
    has_digit = any(c.isdigit() for c in word)
    return word.translate(_LOOKALIKES) if has_digit and any(c.isalpha() for c in word) else word


def _token(match: re.Match[str], gap: str) -> Token:
    text = match.group()
    number = parse_number(text) if match.lastgroup == "number" else None
    return Token(text=text, word=_plain_code(fold(text)), gap=gap, number=number)


def parse_number(text: str) -> Decimal | None:
    """The value of `10,000`, `10.000`, `10 000`, `2,5`, `10k` or `1.5M`; None when it is not one number.

    A separator before exactly three digits groups thousands, unless the number starts with zero; else it is decimal.
    """
    digits = re.match(r"[\d.,\s]+", text)
    if digits is None:
        return None
    scale = _SCALES.get(text[digits.end() :].casefold(), 1)
    plain = _plain(re.sub(r"\s", "", digits.group()))
    return Decimal(plain) * scale if plain else None


def _plain(digits: str) -> str | None:
    groups = re.split(r"[.,]", digits)
    if len(groups) == 1:
        return digits
    grouped = all(len(group) == 3 for group in groups[1:]) and len(groups[0]) <= 3 and not digits.startswith("0")
    if grouped:
        return "".join(groups)
    *whole, decimals = groups
    if all(len(group) == 3 for group in whole[1:]):
        return f"{''.join(whole)}.{decimals}"
    return None
