"""A domain as documents that can be found: tables, columns, metrics, dimensions, members and examples."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from agent.values.identity import Principal
from semantic_catalog.model import LOCALES, Dimension, Domain, DomainName, Entity, EntityName, Names

LinkKind = Literal["table", "column", "metric", "dimension", "member", "example"]
MOST_MEMBERS = 2_000
"""Of a dimension with more members than these, only the first are documents; the warehouse knows the rest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One thing of a catalog. `name` is the catalog's (a table's is its entity, a member's its value).

    `within` is a column's entity or a member's dimension. `text` is all that it is called and described by;
    `meant` whether it is worth a vector too.
    """

    kind: LinkKind
    domain: DomainName
    name: str
    text: str
    within: str = ""
    meant: bool = True


def documents_of(domain: Domain) -> tuple[Document, ...]:
    """All documents of a domain."""
    return tuple(_documents(domain))


def _documents(domain: Domain) -> Iterator[Document]:
    for metric in domain.metrics:
        yield Document(kind="metric", domain=domain.name, name=metric.name, text=_text(metric.name, metric.names))
    for dimension in domain.dimensions:
        text = _text(dimension.name, dimension.names)
        yield Document(kind="dimension", domain=domain.name, name=dimension.name, text=text)
        yield from _members(domain, dimension)
    for entity in domain.entities:
        yield from _tables(domain, entity)
    for example in domain.examples:
        yield Document(kind="example", domain=domain.name, name=example.question, text=example.question)


def _members(domain: Domain, dimension: Dimension) -> Iterator[Document]:
    for member in dimension.members[:MOST_MEMBERS]:
        text = _text(member.value, member.names)
        yield Document(
            kind="member", domain=domain.name, name=member.value, text=text, within=dimension.name, meant=False
        )


def _tables(domain: Domain, entity: Entity) -> Iterator[Document]:
    columns = " ".join(column.name for column in entity.columns)
    text = f"{_text(entity.source, entity.names)} {columns}"
    yield Document(kind="table", domain=domain.name, name=entity.name, text=text)
    for column in entity.columns:
        yield Document(
            kind="column", domain=domain.name, name=column.name, text=column.name, within=entity.name, meant=False
        )


def _text(name: str, names: Names) -> str:
    said = [name]
    for locale in LOCALES:
        said += [names.label.get(locale, ""), *names.synonyms.get(locale, ()), names.description.get(locale, "")]
    return " ".join(dict.fromkeys(part for part in said if part))


def may_see(document: Document, domain: Domain, principal: Principal) -> bool:
    """Whether the document may be named to the principal: their domains, entities and columns only."""
    if domain.name not in principal.domains:
        return False
    entity = {"table": document.name, "column": document.within}.get(document.kind)
    if entity is not None and not principal.may_read(domain.name, EntityName(entity)):
        return False
    return document.kind != "column" or not _is_denied(document, domain, principal)


def _is_denied(document: Document, domain: Domain, principal: Principal) -> bool:
    source = next(entity.source for entity in domain.entities if entity.name == document.within)
    denied = {(where.lower(), column.lower()) for where, column in principal.denied_columns}
    return (source.lower(), document.name.lower()) in denied
