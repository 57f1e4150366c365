import asyncio
from dataclasses import replace

import psycopg

from adapters.control.postgres.connections import Pool
from adapters.control.postgres.runs import PostgresRunStore
from tests.contract.test_run_store import OPEN, RUN, decided


async def _until_it_waits_for_a_lock(
    deciding: asyncio.Task[bool], connection: psycopg.AsyncConnection[tuple[object, ...]]
) -> None:
    query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    while not deciding.done() and (await (await connection.execute(query)).fetchone()) == (0,):  # noqa: ASYNC110 — in PostgreSQL
        await asyncio.sleep(0.01)


async def test_a_decision_waits_for_a_revision_that_is_being_written_and_does_not_hit_it(
    pool: Pool, control_url: str
) -> None:
    store = PostgresRunStore(pool)
    await store.create(OPEN)
    async with (
        await psycopg.AsyncConnection.connect(control_url) as writer,
        await psycopg.AsyncConnection.connect(control_url, autocommit=True) as watcher,
    ):
        await writer.execute("UPDATE countersign.runs SET revision = 2, fingerprint = 'f2' WHERE run = %s", (RUN,))
        deciding = asyncio.create_task(store.decide(RUN, decided()))
        await _until_it_waits_for_a_lock(deciding, watcher)
        await writer.commit()
    assert await deciding is False
    assert await store.decision(RUN) is None
    assert await store.decide(RUN, replace(decided(), fingerprint="f2"))
