import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

import pytest

from adapters.breaker import CircuitBreaker
from adapters.control.postgres.connections import create_pool
from adapters.control.postgres.events import PostgresEventLog
from adapters.control.postgres.migrate import migrate
from agent.values.identity import ThreadKey
from agent.values.turn import Turn
from bot.inbox import Inbox
from bot.leases import Leases
from bot.waiting.coming_back import comes_back
from bot.waiting.guarded import Guard, GuardedWarehouse
from bot.waiting.places import TURNS_AT_ONCE, Places
from semantic_catalog.model import DomainName, Names
from tests.fakes.warehouse import ScriptedWarehouse
from tests.unit.bot.waiting.test_places import TURN

QUESTIONS = 20
PLACES = 5


@dataclass(kw_only=True)
class Hanging(ScriptedWarehouse):
    """One that says nothing until its gate is opened."""

    at_once: int = 0
    most_at_once: int = 0

    async def close(self) -> None:
        """Nothing is held."""

    async def latest(self, source: str, column: str) -> date | None:
        self.at_once += 1
        self.most_at_once = max(self.at_once, self.most_at_once)
        try:
            await self.open_gate.wait()
            return await super().latest(source, column)
        finally:
            self.at_once -= 1


def guarded(engine: Hanging, domain: str) -> GuardedWarehouse:
    places = Places(PLACES, waiting=TURNS_AT_ONCE - PLACES - 1)
    guard = Guard(places=places, breaker=CircuitBreaker(5, 15), limited=lambda _: None)
    return GuardedWarehouse(engine, DomainName(domain), Names(label={"en": domain}), guard)


def question(number: int, domain: str) -> Turn:
    return replace(
        TURN,
        event_id=f"slack:Ev{number}",
        thread=ThreadKey(f"slack:T0HOME:C0SALES:{number}"),
        received_at=TURN.received_at + timedelta(seconds=number),
        text=domain,
    )


@dataclass(kw_only=True)
class Worker:
    """Asks the warehouse that a turn's text names."""

    inbox: Inbox
    leases: Leases
    warehouses: dict[str, GuardedWarehouse]
    answered: list[str] = field(default_factory=list)
    moved: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def handle(self, turn: Turn) -> None:
        with comes_back(turn):
            await self.warehouses[turn.text].latest("shop.sales", "day")
        async with self.moved:
            self.answered.append(turn.text)
            self.moved.notify_all()

    async def until(self, count: int) -> None:
        async with self.moved:
            await self.moved.wait_for(lambda: len(self.answered) >= count)


@pytest.fixture
def slow() -> Hanging:
    engine = Hanging()
    engine.open_gate.clear()
    return engine


@pytest.fixture
async def worker(fresh_database: str, slow: Hanging) -> AsyncIterator[Worker]:
    await migrate(fresh_database)
    pool, inbox = create_pool(fresh_database), Inbox(fresh_database)
    await inbox.open()
    warehouses = {"slow": guarded(slow, "slow"), "quick": guarded(Hanging(), "quick")}
    yield Worker(inbox=inbox, leases=Leases(PostgresEventLog(pool)), warehouses=warehouses)
    await inbox.close()
    await pool.close()


async def test_a_warehouse_that_hangs_under_many_questions_keeps_no_other_question_waiting(
    worker: Worker, slow: Hanging
) -> None:
    for number in range(QUESTIONS):
        await worker.inbox.put(question(number, "slow"))
    working = asyncio.create_task(worker.inbox.work(worker.handle, worker.leases, concurrency=TURNS_AT_ONCE))
    await asyncio.sleep(0.5)
    await worker.inbox.put(question(QUESTIONS, "quick"))
    await worker.until(1)
    assert worker.answered == ["quick"]
    assert slow.most_at_once == PLACES
    slow.open_gate.set()
    await worker.until(QUESTIONS + 1)
    assert slow.most_at_once <= PLACES
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)
