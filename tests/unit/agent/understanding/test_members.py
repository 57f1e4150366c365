from dataclasses import dataclass, replace
from datetime import timedelta

import pytest

from agent.errors import WarehouseUnavailable
from agent.ports import Warehouse
from agent.understanding.members import WarehouseMembers
from agent.values.identity import Principal, PrincipalId, RowRule
from semantic_catalog.model import DimensionName, DomainName
from tests.fakes.catalog import FixedCatalog
from tests.fakes.warehouse import ScriptedWarehouse
from tests.unit.agent.understanding.asking import PAYMENTS, payments_only

MERCHANT = DimensionName("merchant")
COLUMN = ("semantic.v_merchant_performance", "merchant_name")


@dataclass(frozen=True, slots=True)
class OneWarehouse:
    """Implements `Warehouses`."""

    warehouse: ScriptedWarehouse

    def of(self, domain: DomainName) -> Warehouse:
        assert domain == PAYMENTS
        return self.warehouse


def _members(warehouse: ScriptedWarehouse, keep: timedelta = timedelta(hours=1)) -> WarehouseMembers:
    return WarehouseMembers(FixedCatalog(payments_only()), OneWarehouse(warehouse), keep)


async def test_members_come_from_the_cheapest_source_that_holds_the_dimension() -> None:
    assert await _members(ScriptedWarehouse(values={COLUMN: ("Hotel Inti",)})).of(PAYMENTS, MERCHANT) == ("Hotel Inti",)


async def test_members_are_kept_and_the_warehouse_is_not_asked_again() -> None:
    warehouse = ScriptedWarehouse(values={COLUMN: ("Hotel Inti",)})
    members = _members(warehouse)
    await members.of(PAYMENTS, MERCHANT)
    warehouse.away = True
    assert await members.of(PAYMENTS, MERCHANT) == ("Hotel Inti",)


async def test_members_past_their_time_are_asked_for_again() -> None:
    warehouse = ScriptedWarehouse(values={COLUMN: ("Hotel Inti",)})
    members = _members(warehouse, keep=timedelta(0))
    await members.of(PAYMENTS, MERCHANT)
    warehouse.away = True
    with pytest.raises(WarehouseUnavailable):
        await members.of(PAYMENTS, MERCHANT)


async def test_members_in_rows_that_a_person_may_not_see_are_not_told_to_them() -> None:
    lima = RowRule(domain=PAYMENTS, source=COLUMN[0], predicate="region <> 'Cusco'", label=(("en", "No Cusco"),))
    limited = Principal(id=PrincipalId("eva"), roles=(), domains=(PAYMENTS,), row_rules=(lima,))
    warehouse = ScriptedWarehouse(
        values={COLUMN: ("Bazar Cusco", "Hotel Inti")},
        values_where={(*COLUMN, "(region <> 'Cusco')"): ("Hotel Inti",)},
    )
    members = _members(warehouse)
    assert await members.of(PAYMENTS, MERCHANT) == ("Bazar Cusco", "Hotel Inti")
    assert await members.of(PAYMENTS, MERCHANT, limited) == ("Hotel Inti",)
    assert await members.of(PAYMENTS, MERCHANT, replace(limited, row_rules=())) == ("Bazar Cusco", "Hotel Inti")


async def test_a_person_is_told_no_members_of_sources_that_are_not_theirs() -> None:
    nobody = Principal(id=PrincipalId("eva"), roles=(), domains=(PAYMENTS,), entities=())
    assert await _members(ScriptedWarehouse(values={COLUMN: ("Hotel Inti",)})).of(PAYMENTS, MERCHANT, nobody) == ()


async def test_of_a_dimension_without_end_only_the_first_hundred_thousand_members_are_read() -> None:
    many = tuple(f"Bodega {number}" for number in range(100_001))
    assert len(await _members(ScriptedWarehouse(values={COLUMN: many})).of(PAYMENTS, MERCHANT)) == 100_000
