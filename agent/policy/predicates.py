"""Row rules against the catalog: their SQL in the domain's own dialect, over columns that the source has."""

from collections.abc import Iterator, Mapping

from sqlglot import exp
from sqlglot.errors import SqlglotError

from agent.policy.file import RolePart, RowRulePart
from agent.sql.dialects import predicate
from semantic_catalog.issues import nearest
from semantic_catalog.model import Catalog, Domain

KeyPath = tuple[str | int, ...]


def row_rule_faults(roles: Mapping[str, RolePart], catalog: Catalog) -> Iterator[tuple[KeyPath, str]]:
    """Where a rule could not be put into a query. Domains and sources that the catalog does not hold are let be."""
    domains = {domain.name: domain for domain in catalog.domains}
    for name, role in roles.items():
        for at, rule in enumerate(role.row_rules):
            domain = domains.get(rule.domain)  # type: ignore[call-overload]  # a name that is perhaps no domain's
            if domain is not None:
                yield from ((("roles", name, "row_rules", at), fault) for fault in _faults(rule, domain))


def _faults(rule: RowRulePart, domain: Domain) -> Iterator[str]:
    try:
        columns = _columns(rule, domain)
    except SqlglotError:
        yield f"the predicate is not an SQL condition of {domain.dialect}"
        return
    for source in rule.sources:
        known = _columns_of(source, domain)
        for column in columns if known else ():
            if column.lower() not in known:
                hint = nearest(column, known)
                yield f"no column '{column}' in '{source}'" + (f"; {hint}" if hint else "")


def _columns(rule: RowRulePart, domain: Domain) -> tuple[str, ...]:
    """The columns of the source itself; those inside a subquery belong to what it reads."""
    if rule.predicate is None:
        return (rule.column or "",)
    tree = predicate(rule.predicate, domain.dialect)
    own = (column for column in tree.find_all(exp.Column) if column.find_ancestor(exp.Query) is None)
    return tuple(dict.fromkeys(column.name for column in own))


def _columns_of(source: str, domain: Domain) -> tuple[str, ...]:
    entity = next((e for e in domain.entities if e.source.lower() == source.lower()), None)
    return tuple(column.name.lower() for column in entity.columns) if entity else ()
