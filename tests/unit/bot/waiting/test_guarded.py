from contextlib import aclosing
from dataclasses import dataclass, field

import pytest

from adapters.breaker import CircuitBreaker
from agent.errors import QueryFailed, WarehouseBusy, WarehouseResting, WarehouseUnavailable
from agent.ports import Health
from agent.values.identity import RunId
from bot.failures import outcome_of
from bot.waiting.coming_back import comes_back
from bot.waiting.guarded import Guard, GuardedWarehouse
from bot.waiting.places import Places
from semantic_catalog.model import DomainName, Names
from tests.contract.shop import checked, governed
from tests.fakes.warehouse import ScriptedResult, ScriptedWarehouse
from tests.unit.bot.waiting.test_places import NOON, TURN, Seconds

RUN = RunId("7F3K")
NAMES = Names(label={"en": "Card payments", "es": "Pagos con tarjeta"})


@dataclass(kw_only=True)
class Engine(ScriptedWarehouse):
    """One that counts what is asked of it, and can say itself that it cannot do a thing now."""

    asked: int = 0
    locked: bool = False

    async def close(self) -> None:
        """Nothing is held."""

    async def health(self) -> Health:
        self.asked += 1
        return await super().health()

    def _answer(self) -> None:
        self.asked += 1
        if self.locked:
            raise WarehouseUnavailable("40001", answered=True)
        super()._answer()


@dataclass(kw_only=True)
class Before:
    """A guarded engine, its clock and what its limits counted."""

    engine: Engine = field(default_factory=Engine)
    seconds: Seconds = field(default_factory=Seconds)
    limited: list[str] = field(default_factory=list)
    places: Places = field(default_factory=lambda: Places(1, moment=0))

    def __post_init__(self) -> None:
        self.breaker = CircuitBreaker(2, 15, self.seconds)
        guard = Guard(places=self.places, breaker=self.breaker, limited=self.limited.append)
        self.warehouse = GuardedWarehouse(self.engine, DomainName("payments"), NAMES, guard)

    async def fail(self, times: int) -> None:
        for _ in range(times):
            with pytest.raises(WarehouseUnavailable):
                await self.warehouse.estimate(checked("SELECT 1"))


@pytest.fixture
def before() -> Before:
    return Before()


async def test_an_engine_that_was_not_reached_so_often_is_asked_no_more_and_the_asker_hears_which_it_is(
    before: Before,
) -> None:
    before.engine.away = True
    await before.fail(2)
    asked = before.engine.asked
    with pytest.raises(WarehouseResting) as raised:
        await before.warehouse.members("shop.sales", "channel", 10)
    assert before.engine.asked == asked
    assert raised.value.rests_for == 15
    told = outcome_of(raised.value, RUN, "es", NOON)
    assert "Pagos con tarjeta no responde" in getattr(told, "message", "")


async def test_a_statement_that_fails_shows_that_the_engine_is_there(before: Before) -> None:
    before.engine.away = True
    await before.fail(1)
    before.engine.away, before.engine.otherwise = False, ScriptedResult(fails="42703")
    with pytest.raises(QueryFailed):
        await before.warehouse.estimate(checked("SELECT 1"))
    before.engine.away = True
    await before.fail(1)
    assert before.breaker.state() == "closed"


async def test_an_engine_that_says_itself_that_it_cannot_now_is_there(before: Before) -> None:
    before.engine.locked = True
    await before.fail(3)
    assert before.breaker.state() == "closed"


async def test_one_probe_after_its_rest_frees_an_engine_that_is_there_again(before: Before) -> None:
    before.engine.away = True
    await before.fail(2)
    await before.warehouse.probe()
    before.seconds.now = 15
    await before.warehouse.probe()
    assert before.breaker.state() == "open"
    assert not before.warehouse.has_recovered()
    before.engine.away, before.seconds.now = False, 30
    await before.warehouse.probe()
    assert before.breaker.state() == "closed"
    assert before.warehouse.has_recovered()
    assert not before.warehouse.has_recovered()


async def test_no_turn_that_comes_back_is_what_tries_an_engine_that_has_rested(before: Before) -> None:
    before.engine.away = True
    await before.fail(2)
    before.seconds.now, before.engine.away = 15, False
    with comes_back(TURN), pytest.raises(WarehouseResting):
        await before.warehouse.estimate(checked("SELECT 1"))
    await before.warehouse.estimate(checked("SELECT 1"))
    assert before.breaker.state() == "closed"


async def test_rows_that_come_show_that_the_engine_is_there_however_few_are_taken(before: Before) -> None:
    before.engine.away = True
    await before.fail(2)
    before.seconds.now, before.engine.away = 15, False
    before.engine.otherwise = ScriptedResult(rows=tuple((n,) for n in range(9)))
    async with aclosing(before.warehouse.stream(governed("SELECT 1"), RUN)) as batches:
        await anext(batches)
    assert before.breaker.state() == "closed"
    assert await before.places.take(None)


async def test_a_turn_that_comes_back_is_put_off_where_every_place_is_taken(before: Before) -> None:
    await before.places.take(None)
    with comes_back(TURN), pytest.raises(WarehouseBusy):
        await before.warehouse.latest("shop.sales", "day")
    assert before.limited == ["warehouse_busy"]
    assert before.engine.asked == 0
    before.places.give_back()
    with comes_back(TURN):
        await before.warehouse.latest("shop.sales", "day")
    assert before.engine.asked == 1
