from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

import pytest
from langchain_core.runnables import RunnableConfig

from adapters.control.postgres.artifacts import PostgresArtifactStore
from adapters.control.postgres.audit import PostgresAuditLog
from adapters.control.postgres.cards import PostgresCardStore
from adapters.control.postgres.checkpoints import create_checkpointer
from adapters.control.postgres.connections import Pool
from adapters.control.postgres.memory import PostgresMemoryStore
from adapters.control.postgres.results import PostgresResultStore
from adapters.control.postgres.runs import PostgresRunStore
from agent.errors import StoreFailed, StoreUnavailable
from agent.values.identity import RunId, ThreadKey
from agent.values.result import ResultColumn
from tests.fakes.clock import FrozenClock
from tests.fakes.relay import Relay

RUN = RunId("run-1")
KEEP = timedelta(days=1)
COLUMNS = (ResultColumn(name="n", label="N", role="metric", type="integer"),)
CONFIG: RunnableConfig = {"configurable": {"thread_id": "console:a/run-1", "checkpoint_ns": ""}}
CALLS: dict[str, Callable[[Pool], Awaitable[object]]] = {
    "runs": lambda pool: PostgresRunStore(pool).get(RUN),
    "expired runs": lambda pool: PostgresRunStore(pool).expired(datetime.now(UTC)),
    "cards": lambda pool: PostgresCardStore(pool).get(RUN, "main"),
    "artifacts": lambda pool: PostgresArtifactStore(pool, FrozenClock(), KEEP).get(RUN, "chart"),
    "results": lambda pool: PostgresResultStore(pool, FrozenClock(), KEEP).write(
        RUN, COLUMNS, ((1,),), truncated=False
    ),
    "memory": lambda pool: PostgresMemoryStore(pool).load(ThreadKey("console:a")),
    "audit": lambda pool: PostgresAuditLog(pool, FrozenClock()).append(RUN, "asked", "ana", {}),
    "checkpoints": lambda pool: create_checkpointer(pool).aget_tuple(CONFIG),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
async def test_a_store_says_so_when_the_database_is_away_and_works_again_once_it_is_back(
    pool: Pool, relay: Relay, call: Callable[[Pool], Awaitable[object]]
) -> None:
    await call(pool)
    await relay.shut()
    with pytest.raises(StoreUnavailable):
        await call(pool)
    await relay.open()
    await call(pool)


async def test_a_refused_statement_is_a_fault_of_ours_and_quotes_nothing(pool: Pool) -> None:
    with pytest.raises(StoreFailed) as failed:
        await PostgresCardStore(pool).get(RunId("run\x00secret"), "main")
    assert "secret" not in failed.value.detail
    assert failed.value.__suppress_context__
