"""The members that the warehouse holds, asked for once in a while."""

from dataclasses import dataclass
from datetime import timedelta
from time import monotonic

from agent.ports import CatalogSource, Warehouses
from agent.sql.dialects import predicate, render
from agent.values.identity import Principal
from semantic_catalog.model import DimensionName, Domain, DomainName, Entity

_MOST_MEMBERS = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """Members as they were read, by the process's clock; another catalog's domain is another object."""

    domain: Domain
    since: float
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Home:
    """Where members are read, and of which rows."""

    source: str
    column: str
    where: str


class WarehouseMembers:
    """Implements `Members` over the warehouses; an answer is kept in this process for `keep`."""

    def __init__(self, catalog: CatalogSource, warehouses: Warehouses, keep: timedelta = timedelta(minutes=15)) -> None:
        self._catalog = catalog
        self._warehouses = warehouses
        self._keep = keep.total_seconds()
        self._kept: dict[tuple[DomainName, DimensionName, _Home | None], _Kept] = {}

    async def of(
        self, domain: DomainName, dimension: DimensionName, principal: Principal | None = None
    ) -> tuple[str, ...]:
        """The members in rows that the principal may see (None: all), as stored.

        Raises `agent.errors.WarehouseUnavailable`.
        """
        home = self._catalog.current().domain(domain)
        source = _home(home, dimension, principal)
        known = self._kept.get((domain, dimension, source))
        if known and known.domain is home and monotonic() - known.since < self._keep:
            return known.values
        values: tuple[str, ...] = ()
        if source is not None:
            warehouse = self._warehouses.of(domain)
            values = await warehouse.members(source.source, source.column, _MOST_MEMBERS, source.where)
        self._forget_old()
        self._kept[domain, dimension, source] = _Kept(domain=home, since=monotonic(), values=values)
        return values

    def _forget_old(self) -> None:
        """Domains of files come and go: what is past its time is not held on to."""
        oldest = monotonic() - self._keep
        self._kept = {key: kept for key, kept in self._kept.items() if kept.since > oldest}


def _home(domain: Domain, dimension: DimensionName, principal: Principal | None) -> _Home | None:
    """The cheapest source that holds the dimension; for a principal, of those with a row rule where there are any."""
    homes = [
        _Home(source=entity.source, column=mapping.column, where=_rules(domain, entity, principal))
        for entity in sorted(domain.entities, key=lambda each: each.cost_rank)
        if (mapping := entity.dimension(dimension))
        and (principal is None or principal.may_read(domain.name, entity.name))
    ]
    return next((home for home in homes if home.where), homes[0] if homes else None)


def _rules(domain: Domain, entity: Entity, principal: Principal | None) -> str:
    """The principal's rules for the source's rows as one condition."""
    rules = principal.row_rules if principal else ()
    mine = [rule for rule in rules if rule.domain == domain.name and rule.source.lower() == entity.source.lower()]
    trees = (predicate(rule.predicate, domain.dialect).copy() for rule in mine)
    return " AND ".join(f"({render(tree, domain.dialect)})" for tree in trees)
