"""Phrases brought to one form, so that two spellings of the same words are equal."""

import re
import unicodedata
from functools import lru_cache

_BREVE = "\u0306"
_WORD = re.compile(r"[^\W_]+(?:\.\d+)?|%")


@lru_cache(maxsize=65_536)
def fold_phrase(text: str) -> str:
    """Lower case, without accents and punctuation but `%`, one space between words; `ё` is `е`, and `й` stays `й`."""
    decomposed = unicodedata.normalize("NFD", text.casefold())
    kept = "".join(c for c in decomposed if not unicodedata.combining(c) or c == _BREVE)
    return " ".join(_WORD.findall(unicodedata.normalize("NFC", kept)))
