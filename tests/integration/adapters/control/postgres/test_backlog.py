from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime

import psycopg
import pytest
import yaml

from adapters.control.postgres.audit import PostgresAuditLog
from adapters.control.postgres.backlog import PostgresBacklog
from adapters.control.postgres.connections import Pool
from adapters.control.postgres.runs import PostgresRunStore
from agent.values.identity import PrincipalId, RunId
from agent.values.outcome import RunRecord
from bot.inbox import Inbox
from tests.architecture.sources import ROOT
from tests.fakes.clock import FrozenClock
from tests.integration.bot.test_inbox import TURN

RECORD = RunRecord(
    run=RunId("7F3K"),
    thread="slack:T0HOME:C0SALES:1.0",
    asker=PrincipalId("ana"),
    status="awaiting_approval",
    question="approval rate",
    locale="en",
    created_at=datetime(2026, 10, 31, tzinfo=UTC),
)


def scaling_query() -> bytes:
    """What the manifests tell KEDA to ask the database."""
    text = (ROOT / "deploy" / "kubernetes" / "worker-scaling.yaml").read_text(encoding="utf-8")
    query: str = yaml.safe_load(text)["spec"]["triggers"][0]["metadata"]["query"]
    return query.encode()


@pytest.fixture
async def inbox(control_url: str) -> AsyncIterator[Inbox]:
    made = Inbox(control_url)
    await made.open()
    yield made
    await made.close()


async def test_turns_count_by_whether_they_could_run_now(pool: Pool, inbox: Inbox, control_url: str) -> None:
    for number in range(4):
        await inbox.put(replace(TURN, event_id=f"slack:Ev{number}"))
    with psycopg.connect(control_url) as connection:
        connection.execute("UPDATE procrastinate_jobs SET scheduled_at = now() + interval '1 minute' WHERE id = 1")
        connection.execute("UPDATE procrastinate_jobs SET status = 'doing' WHERE id = 2")
        connection.execute("UPDATE procrastinate_events SET at = now() - interval '9 seconds' WHERE job_id = 3")
        (scaled,) = connection.execute(scaling_query()).fetchone() or (None,)
    backlog = await PostgresBacklog(pool).read()
    assert (backlog.waiting, backlog.retrying, backlog.running) == (2, 1, 1)
    assert scaled == backlog.waiting + backlog.running
    assert 9 <= backlog.oldest < 60
    assert backlog.workers == 0


async def test_a_worker_counts_while_its_heart_beats(pool: Pool, inbox: Inbox, control_url: str) -> None:
    with psycopg.connect(control_url) as connection:
        connection.execute("INSERT INTO procrastinate_workers DEFAULT VALUES")
        connection.execute("INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now() - interval '1 minute')")
    assert (await PostgresBacklog(pool).read()).workers == 1


async def test_open_proposals_and_the_sizes_of_tables_are_told(pool: Pool, inbox: Inbox) -> None:
    await PostgresRunStore(pool).create(RECORD)
    backlog = await PostgresBacklog(pool).read()
    assert backlog.approvals == 1
    assert backlog.oldest_approval > 3600
    assert backlog.tables["runs"] > 0
    assert "procrastinate_jobs" in backlog.tables


async def test_deliveries_count_by_whether_they_were_given_up(pool: Pool, inbox: Inbox, control_url: str) -> None:
    with psycopg.connect(control_url) as connection:
        connection.execute("""
            INSERT INTO countersign.letters (run, slot, thread, letter, due_at, fault, is_dead)
            SELECT 'run' || n, 'end', 't', '{}', now(), '', n = 3 FROM generate_series(1, 3) AS n
        """)
    backlog = await PostgresBacklog(pool).read()
    assert (backlog.letters, backlog.dead_letters) == (2, 1)


async def test_with_nothing_waiting_every_figure_is_zero(pool: Pool, inbox: Inbox) -> None:
    backlog = await PostgresBacklog(pool).read()
    assert (backlog.waiting, backlog.oldest, backlog.approvals, backlog.oldest_approval) == (0, 0, 0, 0)


async def test_what_the_last_verification_of_the_audit_log_found_is_told(
    pool: Pool, inbox: Inbox, control_url: str
) -> None:
    log, backlog = PostgresAuditLog(pool, FrozenClock()), PostgresBacklog(pool)
    await log.append(RECORD.run, "asked", "ana", {})
    assert (await backlog.read()).audit_age is None
    assert await log.check() is None
    checked = await backlog.read()
    assert (checked.audit_age is not None, checked.audit_broken) == (True, False)
    with psycopg.connect(control_url) as connection:
        connection.execute("SET session_replication_role = replica")
        connection.execute("UPDATE countersign.audit SET by_whom = 'bob'")
    assert await log.check() == 1
    assert (await backlog.read()).audit_broken
