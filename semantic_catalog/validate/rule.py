"""What a rule is: a function that reads one domain and yields its issues."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from semantic_catalog.issues import Issue, Places, Severity
from semantic_catalog.model import Domain


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainSource:
    """A decoded domain and where each part of it was written."""

    domain: Domain
    places: Places

    def issue(self, message: str, *path: str, severity: Severity = "error", suggestion: str = "") -> Issue:
        """An issue at the line of `path`, or of its nearest enclosing key."""
        return Issue(place=self.places.of(*path), message=message, severity=severity, suggestion=suggestion)


Rule = Callable[[DomainSource], Iterator[Issue]]
