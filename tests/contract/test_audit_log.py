import asyncio
from datetime import date
from decimal import Decimal
from typing import cast

import pytest

from adapters.control.postgres.audit import PostgresAuditLog
from adapters.control.postgres.connections import Pool
from agent.errors import StoreFailed
from agent.values.identity import RunId
from agent.values.run_event import RunEvent
from bot.ports import AuditLog
from tests.fakes.clock import FrozenClock
from tests.fakes.stores import InMemoryAuditLog

Log = PostgresAuditLog | InMemoryAuditLog


@pytest.fixture(params=["postgres", "memory"])
def log(request: pytest.FixtureRequest, clock: FrozenClock) -> Log:
    if request.param == "memory":
        return InMemoryAuditLog(clock)
    pool: Pool = request.getfixturevalue("control")
    return PostgresAuditLog(pool, clock)


async def test_is_the_port(log: Log) -> None:
    port: AuditLog = log
    await port.append(RunId("run-1"), "asked", "ana", {})


async def test_an_empty_log_is_whole(log: Log) -> None:
    assert await log.verify() is None


async def test_a_log_of_appended_events_is_whole(log: Log) -> None:
    facts = {
        "rows": 4,
        "cost": Decimal("1.5"),
        "until": date(2026, 10, 31),
        "nota": "ñ \x00",
        "nested": {"b": [1, None]},
    }
    for event in ("asked", "proposed", "decided"):
        await log.append(RunId("run-1"), event, "ana", facts)
    assert await log.verify() is None


async def test_events_of_many_writers_form_one_whole_log(log: Log) -> None:
    writers = (log.append(RunId(f"run-{number}"), "asked", "ana", {"number": number}) for number in range(40))
    await asyncio.gather(*writers)
    assert await log.verify() is None


async def test_several_events_of_a_run_are_written_in_their_order(log: Log) -> None:
    names = ("understood", "ran", "answered")
    await log.append_all(RunId("run-1"), [RunEvent(name=n, by="bot", facts={"n": n}, once=n) for n in names])
    await log.append_all(RunId("run-1"), [RunEvent(name="ran", by="bot", facts={}, once="ran")])
    await log.append_all(RunId("run-1"), ())
    assert await log.verify() is None
    if isinstance(log, InMemoryAuditLog):
        assert tuple(event.event for event in log.events) == names
    else:
        assert tuple([entry.event async for entry in log.entries()]) == names


async def test_of_several_events_all_are_written_or_none(control: Pool, clock: FrozenClock) -> None:
    log, nobody = PostgresAuditLog(control, clock), cast("str", None)
    events = [RunEvent(name="ran", by=by, facts={}, once="") for by in ("ana", nobody)]
    with pytest.raises(StoreFailed):
        await log.append_all(RunId("run-1"), events)
    assert [entry async for entry in log.entries()] == []


async def test_what_happened_once_is_written_once(log: Log) -> None:
    for _ in range(2):
        await log.append(RunId("run-1"), "asked", "ana", {}, "asked")
        await log.append(RunId("run-2"), "asked", "ana", {}, "asked")
        await log.append(RunId("run-1"), "thumbs_up", "ana", {})
    assert await log.verify() is None
    if isinstance(log, InMemoryAuditLog):
        assert len(log.events) == 4
    else:
        assert len([entry async for entry in log.entries()]) == 4


async def test_the_same_event_of_many_writers_is_written_once(log: Log) -> None:
    await asyncio.gather(*(log.append(RunId("run-1"), "ran", "ana", {}, "ran") for _ in range(8)))
    assert await log.verify() is None
