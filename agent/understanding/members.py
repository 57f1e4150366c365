"""The members that the warehouse holds, asked for once in a while."""

from dataclasses import dataclass
from datetime import timedelta
from time import monotonic

from agent.ports import CatalogSource, Warehouses
from semantic_catalog.model import DimensionName, Domain, DomainName, Entity

_MOST_MEMBERS = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """Members as they were read, by the process's clock; another catalog's domain is another object."""

    domain: Domain
    since: float
    values: tuple[str, ...]


class WarehouseMembers:
    """Implements `Members` over the warehouses; an answer is kept in this process for `keep`."""

    def __init__(self, catalog: CatalogSource, warehouses: Warehouses, keep: timedelta = timedelta(minutes=15)) -> None:
        self._catalog = catalog
        self._warehouses = warehouses
        self._keep = keep.total_seconds()
        self._kept: dict[tuple[DomainName, DimensionName], _Kept] = {}

    async def of(self, domain: DomainName, dimension: DimensionName) -> tuple[str, ...]:
        """Every member as stored; raises `agent.errors.WarehouseUnavailable`."""
        home = self._catalog.current().domain(domain)
        known = self._kept.get((domain, dimension))
        if known and known.domain is home and monotonic() - known.since < self._keep:
            return known.values
        source = _home(home.entities, dimension)
        values: tuple[str, ...] = ()
        if source is not None:
            values = await self._warehouses.of(domain).members(*source, _MOST_MEMBERS)
        self._forget_old()
        self._kept[domain, dimension] = _Kept(domain=home, since=monotonic(), values=values)
        return values

    def _forget_old(self) -> None:
        """Domains of files come and go: what is past its time is not held on to."""
        oldest = monotonic() - self._keep
        self._kept = {key: kept for key, kept in self._kept.items() if kept.since > oldest}


def _home(entities: tuple[Entity, ...], dimension: DimensionName) -> tuple[str, str] | None:
    """The cheapest source that holds the dimension, and its column there."""
    for entity in sorted(entities, key=lambda each: each.cost_rank):
        mapping = entity.dimension(dimension)
        if mapping is not None:
            return entity.source, mapping.column
    return None
