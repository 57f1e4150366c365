"""The members that the warehouse holds, asked for once in a while."""

from datetime import timedelta
from time import monotonic

from agent.ports import CatalogSource, Warehouses
from semantic_catalog.model import DimensionName, DomainName, Entity

_MOST_MEMBERS = 100_000


class WarehouseMembers:
    """Implements `Members` over the warehouses; an answer is kept in this process for `keep`."""

    def __init__(self, catalog: CatalogSource, warehouses: Warehouses, keep: timedelta = timedelta(minutes=15)) -> None:
        self._catalog = catalog
        self._warehouses = warehouses
        self._keep = keep.total_seconds()
        self._kept: dict[tuple[str, DomainName, DimensionName], tuple[float, tuple[str, ...]]] = {}

    async def of(self, domain: DomainName, dimension: DimensionName) -> tuple[str, ...]:
        """Every member as stored; raises `agent.errors.WarehouseUnavailable`."""
        catalog = self._catalog.current()
        key = (str(catalog.version), domain, dimension)
        known = self._kept.get(key)
        if known and monotonic() - known[0] < self._keep:
            return known[1]
        home = _home(catalog.domain(domain).entities, dimension)
        values: tuple[str, ...] = ()
        if home is not None:
            values = await self._warehouses.of(domain).members(*home, _MOST_MEMBERS)
        self._kept[key] = (monotonic(), values)
        return values


def _home(entities: tuple[Entity, ...], dimension: DimensionName) -> tuple[str, str] | None:
    """The cheapest source that holds the dimension, and its column there."""
    for entity in sorted(entities, key=lambda each: each.cost_rank):
        mapping = entity.dimension(dimension)
        if mapping is not None:
            return entity.source, mapping.column
    return None
