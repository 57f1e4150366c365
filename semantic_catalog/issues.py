"""What is wrong with a catalog, and where: every fault names its file and line."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

Severity = Literal["error", "warning"]
KeyPath = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A line of a catalog file. `file` is relative to the folder of domains; `line` starts at 1."""

    file: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """One fault. An error keeps the catalog from loading; a warning does not. `suggestion` is empty or one phrase."""

    place: Place
    message: str
    severity: Severity = "error"
    suggestion: str = ""

    def __str__(self) -> str:
        """`file:line: severity: message; suggestion`."""
        hint = f"; {self.suggestion}" if self.suggestion else ""
        return f"{self.place.file}:{self.place.line}: {self.severity}: {self.message}{hint}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where each key of a domain was written, by its path, such as `("metrics", "approval_rate", "numerator")`."""

    by_path: Mapping[KeyPath, Place]

    def of(self, *path: str) -> Place:
        """The place of `path`, else of its nearest enclosing key."""
        while path not in self.by_path and path:
            path = path[:-1]
        return self.by_path[path]


def nearest(word: str, known: Iterable[str]) -> str:
    """The phrase `did you mean 'x'?` for the known word nearest to `word`; empty when none is near."""
    close = get_close_matches(word, list(known), n=1)
    return f"did you mean '{close[0]}'?" if close else ""
