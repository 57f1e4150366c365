"""Whatever people read has a label in every language, and whatever they ask for has words in every language."""

from collections.abc import Iterator

from semantic_catalog.issues import Issue
from semantic_catalog.model import LOCALES, Domain, Names
from semantic_catalog.validate.rule import DomainSource

Labelled = tuple[Names, tuple[str, ...]]


def labels_are_in_every_locale(source: DomainSource) -> Iterator[Issue]:
    """Labels are complete and not blank; a description in some languages only is a warning."""
    for names, path in _labelled(source.domain):
        for locale in LOCALES:
            if not names.label.get(locale, "").strip():
                yield source.issue(f"no label in '{locale}'", *path, "label")
            if names.description and not names.description.get(locale, "").strip():
                yield source.issue(f"no description in '{locale}'", *path, "description", severity="warning")


def _labelled(domain: Domain) -> Iterator[Labelled]:
    yield domain.names, ()
    for entity in domain.entities:
        yield entity.names, ("entities", entity.name)
    for metric in domain.metrics:
        yield metric.names, ("metrics", metric.name)
    for dimension in domain.dimensions:
        yield dimension.names, ("dimensions", dimension.name)
        for member in dimension.members:
            yield member.names, ("dimensions", dimension.name, "members", member.value)
