import asyncio
from dataclasses import dataclass, replace

import pytest

from agent.errors import WarehouseUnavailable
from bot.addresses import WarehouseAddress
from bot.open_warehouses import OpenWarehouses
from semantic_catalog.load import load_catalog
from semantic_catalog.model import Catalog, Domain, DomainName
from tests.fakes.warehouse import ScriptedWarehouse

PAYMENTS, SCRAP = DomainName("payments"), DomainName("scrap_prices")


@dataclass(kw_only=True)
class Closable(ScriptedWarehouse):
    """A scripted warehouse that knows whether it was closed."""

    closed: bool = False

    async def members(self, source: str, column: str, limit: int, where: str = "") -> tuple[str, ...]:
        await self.open_gate.wait()
        return await ScriptedWarehouse.members(self, source, column, limit, where)

    async def close(self) -> None:
        self.closed = True


class Engines:
    """Opens scripted warehouses for every address and keeps them."""

    def __init__(self, catalog: Catalog) -> None:
        self.opened: list[tuple[DomainName, Closable]] = []
        addresses = {name: WarehouseAddress(url="", dialect="postgres") for name in (PAYMENTS, SCRAP)}
        self.warehouses = OpenWarehouses(addresses, self._open, catalog)

    def _open(self, _: WarehouseAddress, domain: Domain) -> Closable:
        warehouse = Closable()
        self.opened.append((domain.name, warehouse))
        return warehouse

    def of(self, name: DomainName) -> list[Closable]:
        return [warehouse for known, warehouse in self.opened if known == name]


def catalog_of(*names: DomainName) -> Catalog:
    catalog = load_catalog()
    return replace(catalog, domains=tuple(domain for domain in catalog.domains if domain.name in names))


async def test_a_domain_that_is_gone_is_closed_once_nothing_runs_there() -> None:
    engines = Engines(catalog_of(PAYMENTS, SCRAP))
    (scrap,) = engines.of(SCRAP)
    scrap.open_gate.clear()
    asked = asyncio.create_task(engines.warehouses.of(SCRAP).members("s", "c", 1))
    await asyncio.sleep(0)
    engines.warehouses.follow(catalog_of(PAYMENTS))
    await asyncio.sleep(0)
    with pytest.raises(WarehouseUnavailable):
        engines.warehouses.of(SCRAP)
    assert [warehouse.closed for warehouse in engines.of(SCRAP)] == [False]
    scrap.open_gate.set()
    await asked
    await asyncio.sleep(0.01)
    assert [warehouse.closed for warehouse in engines.of(SCRAP)] == [True]
    assert [warehouse.closed for warehouse in engines.of(PAYMENTS)] == [False]


async def test_a_domain_is_opened_anew_where_its_zone_changed_and_kept_where_only_words_did() -> None:
    engines = Engines(catalog_of(PAYMENTS))
    worded = catalog_of(PAYMENTS)
    engines.warehouses.follow(replace(worded, domains=tuple(replace(each, examples=()) for each in worded.domains)))
    assert len(engines.of(PAYMENTS)) == 1
    engines.warehouses.follow(replace(worded, domains=tuple(replace(each, timezone="UTC") for each in worded.domains)))
    await asyncio.sleep(0.01)
    assert [warehouse.closed for warehouse in engines.of(PAYMENTS)] == [True, False]


async def test_a_process_that_ends_closes_what_still_runs_elsewhere_too() -> None:
    engines = Engines(catalog_of(PAYMENTS, SCRAP))
    (scrap,) = engines.of(SCRAP)
    scrap.open_gate.clear()
    asked = asyncio.create_task(engines.warehouses.of(SCRAP).members("s", "c", 1))
    await asyncio.sleep(0)
    engines.warehouses.follow(catalog_of(PAYMENTS))
    await asyncio.sleep(0)
    await engines.warehouses.close()
    assert all(warehouse.closed for _, warehouse in engines.opened)
    scrap.open_gate.set()
    await asked
