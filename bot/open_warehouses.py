"""The warehouses of one process: opened with their domains, opened anew or closed when the catalog changes."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

import structlog

from agent.errors import WarehouseUnavailable
from agent.ports import Health, Warehouse
from bot.addresses import WarehouseAddress
from bot.lent_warehouse import LentWarehouse
from bot.warehouses import ClosableWarehouse
from semantic_catalog.model import Catalog, Domain, DomainName

OpenOne = Callable[[WarehouseAddress, Domain], ClosableWarehouse]

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """A warehouse and what it was opened for: the engine's zone, and where it looks for tables."""

    warehouse: LentWarehouse
    opened_for: tuple[str, frozenset[str]]


class OpenWarehouses:
    """Implements `Warehouses`: one for each domain of the catalog that has an address. Nothing connects before a call.

    What the catalog no longer has is closed once nothing runs there any more.
    """

    def __init__(self, addresses: Mapping[DomainName, WarehouseAddress], open_one: OpenOne, catalog: Catalog) -> None:
        """Raises what `open_one` raises."""
        self._addresses = addresses
        self._open_one = open_one
        self._closing: set[asyncio.Task[None]] = set()
        self._kept = self._for(catalog, {})

    def of(self, domain: DomainName) -> Warehouse:
        """The domain's warehouse. Raises `WarehouseUnavailable` when none is configured."""
        found = self._kept.get(domain)
        if found is None:
            raise WarehouseUnavailable(f"no warehouse is configured for {domain}")
        return found.warehouse

    def checks(self) -> Mapping[str, Callable[[], Awaitable[Health]]]:
        """The health of each, under the name it has as a dependency."""
        return {f"warehouse_{name}": kept.warehouse.health for name, kept in self._kept.items()}

    def follow(self, catalog: Catalog) -> None:
        """Open what is new in the catalog and close what is gone or has to be opened anew; call it inside the loop.

        Raises what opening raises: nothing changes then.
        """
        before, self._kept = self._kept, self._for(catalog, self._kept)
        for name, kept in before.items():
            if self._kept.get(name) is not kept:
                log.info("warehouse_closing", domain=name)
                self._retire(kept.warehouse)

    async def close(self) -> None:
        """Give up all connections, also those in use."""
        await asyncio.gather(*(kept.warehouse.close() for kept in self._kept.values()))
        for task in self._closing:
            task.cancel()
        await asyncio.gather(*self._closing, return_exceptions=True)

    def _for(self, catalog: Catalog, known: Mapping[DomainName, _Kept]) -> dict[DomainName, _Kept]:
        served = {domain.name: domain for domain in catalog.domains if domain.name in self._addresses}
        return {name: self._one(domain, known.get(name)) for name, domain in served.items()}

    def _one(self, domain: Domain, known: _Kept | None) -> _Kept:
        wanted = (domain.timezone, frozenset(entity.source.rpartition(".")[0] for entity in domain.entities))
        if known is not None and known.opened_for == wanted:
            return known
        opened = LentWarehouse(self._open_one(self._addresses[domain.name], domain))
        return _Kept(warehouse=opened, opened_for=wanted)

    def _retire(self, warehouse: LentWarehouse) -> None:
        task = asyncio.create_task(warehouse.close_when_idle())
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)
