"""Whether somebody else may see what a query shows: what they could have asked for themselves."""

from dataclasses import dataclass
from datetime import date

from agent.errors import SpecNotCompilable
from agent.sql.guard import check_query
from agent.sql.restrictions import withheld_from
from agent.sql.scope import scope_for
from agent.values.governance import CheckedQuery
from agent.values.identity import Principal, RowRule
from agent.values.spec import QuerySpec
from semantic_catalog.model import CatalogVersion, Domain


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A query whose rows stand somewhere, on whose behalf it was asked, and the catalog it is judged by.

    `spec` is None where a model or a person wrote the SQL. `today` is the day in the domain's zone.
    """

    query: CheckedQuery
    spec: QuerySpec | None
    asker: Principal
    domain: Domain
    version: CatalogVersion
    today: date


def may_see(reader: Principal, shown: Shown) -> bool:
    """Whether `reader` might ask the very same and would get at least these rows. In doubt they may not."""
    if reader.id == shown.asker.id:
        return True
    if shown.query.domain not in reader.domains or _is_restricted(reader, shown) or not _rows_cover(reader, shown):
        return False
    scope = scope_for(shown.domain, reader, shown.version)
    checked = check_query(shown.query.sql, scope, origin=shown.query.origin, today=shown.today)
    return isinstance(checked, CheckedQuery)


def _is_restricted(reader: Principal, shown: Shown) -> bool:
    """Whether a restriction that the asker is not under hides part of it; of written SQL any might."""
    if shown.spec is None:
        return bool(set(reader.restrictions) - set(shown.asker.restrictions))
    try:
        return withheld_from(reader, shown.spec, shown.domain, shown.today) is not None
    except SpecNotCompilable:
        return True


def _rows_cover(reader: Principal, shown: Shown) -> bool:
    """Whether each row rule of the reader on what is read keeps back only what the asker's rules keep back too."""
    read = {source.lower() for source in shown.query.sources}
    own = _rules(shown.asker, shown, read)
    return all(any(_covers(rule, kept) for kept in own) for rule in _rules(reader, shown, read))


def _rules(principal: Principal, shown: Shown, read: set[str]) -> tuple[RowRule, ...]:
    rules = (rule for rule in principal.row_rules if rule.domain == shown.query.domain)
    return tuple(rule for rule in rules if rule.source.lower() in read)


def _covers(rule: RowRule, kept: RowRule) -> bool:
    """Whether every row that `kept` leaves is one that `rule` leaves."""
    if rule.source.lower() != kept.source.lower():
        return False
    if rule.column and rule.members:
        return kept.column == rule.column and bool(kept.members) and set(kept.members) <= set(rule.members)
    return rule.predicate == kept.predicate
