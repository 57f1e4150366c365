"""Rows as one short text, to be compared with a known one."""

from collections.abc import Iterable
from hashlib import sha256

from bot.demo.tables import Row


def digest(rows: Iterable[Row]) -> str:
    """Changes with any cell of any row."""
    found = sha256()
    for row in rows:
        found.update(("\t".join(map(str, row)) + "\n").encode())
    return found.hexdigest()
