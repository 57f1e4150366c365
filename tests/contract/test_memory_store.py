import asyncio
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from adapters.control.postgres.connections import Pool
from adapters.control.postgres.memory import PostgresMemoryStore
from agent.ports import MemoryStore
from agent.values.identity import PrincipalId, RunId, ThreadKey
from agent.values.memory import RememberedRun, ThreadMemory
from agent.values.result import ResultColumn, ResultId, ResultRef, ResultSample
from agent.values.spec import MemberFilter, Period, QuerySpec, Threshold
from semantic_catalog.model import DimensionName, DomainName, MetricName
from tests.fakes.stores import InMemoryMemoryStore

THREAD = ThreadKey("slack:T1:C1:1.0")
NOON = datetime(2026, 11, 1, 12, 0, tzinfo=UTC)
COLUMNS = (
    ResultColumn(name="day", label="Día", role="time", type="date", grain="day"),
    ResultColumn(name="fees", label="Comisiones", role="metric", type="decimal", format="amount", unit="PEN"),
)
SPEC = QuerySpec(
    domain=DomainName("payments"),
    metrics=(MetricName("fees"),),
    grain="day",
    filters=(MemberFilter(dimension=DimensionName("brand"), values=("Visa",), include=False),),
    period=Period(start=date(2026, 10, 1), end=date(2026, 10, 31), timezone="America/Lima"),
    having=(Threshold(metric=MetricName("fees"), operator=">", value=Decimal("0.10")),),
)
FINISHED = RememberedRun(
    run=RunId("run-1"),
    asker=PrincipalId("ana"),
    question="comisiones\x00 por día",
    locale="es",
    spec=SPEC,
    sql="SELECT 1",
    headline="Las comisiones fueron 10",
    findings=("subieron",),
    sample=ResultSample(columns=COLUMNS, rows=((date(2026, 10, 1), Decimal("10.50")), (None, None))),
    result=ResultRef(
        id=ResultId("r1"), run=RunId("run-1"), columns=COLUMNS, row_count=2, truncated=False, expires_at=NOON
    ),
    finished_at=NOON,
)


@pytest.fixture(params=["postgres", "memory"])
def store(request: pytest.FixtureRequest) -> MemoryStore:
    if request.param == "memory":
        return InMemoryMemoryStore()
    pool: Pool = request.getfixturevalue("control")
    return PostgresMemoryStore(pool)


async def test_an_unknown_thread_has_an_empty_memory(store: MemoryStore) -> None:
    assert await store.load(THREAD) == ThreadMemory(thread=THREAD)


async def test_a_memory_comes_back_as_it_was_one_version_on(store: MemoryStore) -> None:
    memory = ThreadMemory(thread=THREAD, runs=(FINISHED,))
    assert await store.save(memory)
    assert await store.load(THREAD) == replace(memory, version=1)


async def test_each_save_goes_one_version_on(store: MemoryStore) -> None:
    for version in range(3):
        assert await store.save(replace(await store.load(THREAD), runs=(FINISHED,) * version))
    assert await store.load(THREAD) == ThreadMemory(thread=THREAD, version=3, runs=(FINISHED,) * 2)


@pytest.mark.parametrize("version", [0, 1, 3])
async def test_a_save_on_top_of_another_version_is_refused(store: MemoryStore, version: int) -> None:
    await store.save(ThreadMemory(thread=THREAD))
    await store.save(ThreadMemory(thread=THREAD, version=1))
    assert not await store.save(ThreadMemory(thread=THREAD, version=version, runs=(FINISHED,)))
    assert await store.load(THREAD) == ThreadMemory(thread=THREAD, version=2)


async def test_a_later_version_of_nothing_is_refused(store: MemoryStore) -> None:
    assert not await store.save(ThreadMemory(thread=THREAD, version=1))
    assert await store.load(THREAD) == ThreadMemory(thread=THREAD)


@pytest.mark.parametrize("version", [0, 1])
async def test_of_many_writers_of_one_version_exactly_one_wins(store: MemoryStore, version: int) -> None:
    for before in range(version):
        await store.save(ThreadMemory(thread=THREAD, version=before))
    writes = (store.save(ThreadMemory(thread=THREAD, version=version)) for _ in range(8))
    assert (await asyncio.gather(*writes)).count(True) == 1
