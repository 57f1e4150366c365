from collections.abc import AsyncIterator
from datetime import timedelta

import psycopg
import pytest

from adapters.control.postgres.audit import AuditEntry, PostgresAuditLog
from adapters.control.postgres.connections import Pool
from agent.values.identity import RunId
from tests.fakes.clock import FrozenClock


@pytest.fixture
async def log(pool: Pool) -> PostgresAuditLog:
    log = PostgresAuditLog(pool, FrozenClock())
    for number in range(1, 6):
        await log.append(RunId(f"run-{number}"), "asked", "ana", {"number": number})
    return log


def _as_superuser(url: str, *statements: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")
        for statement in statements:
            connection.execute(statement.encode())


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE countersign.audit SET by_whom = 'ben' WHERE id = 3",
        "DELETE FROM countersign.audit WHERE id = 3",
        "TRUNCATE countersign.audit",
    ],
)
async def test_the_database_refuses_to_change_what_was_written(
    log: PostgresAuditLog, control_url: str, statement: str
) -> None:
    with (
        psycopg.connect(control_url, autocommit=True) as connection,
        pytest.raises(psycopg.errors.IntegrityConstraintViolation, match="append-only"),
    ):
        connection.execute(statement.encode())
    assert await log.verify() is None


@pytest.mark.parametrize(
    ("statement", "broken"),
    [
        ("UPDATE countersign.audit SET by_whom = 'ben' WHERE id = 3", 3),
        ("UPDATE countersign.audit SET run = 'run-9' WHERE id = 1", 1),
        ("UPDATE countersign.audit SET event = 'decided' WHERE id = 5", 5),
        ("UPDATE countersign.audit SET facts = '{}' WHERE id = 4", 4),
        ("UPDATE countersign.audit SET at = at + interval '1 microsecond' WHERE id = 2", 2),
        ("DELETE FROM countersign.audit WHERE id = 1", 1),
        ("DELETE FROM countersign.audit WHERE id = 3", 3),
        ("DELETE FROM countersign.audit WHERE id = 5", 5),
        ("TRUNCATE countersign.audit", 1),
        (
            "INSERT INTO countersign.audit SELECT 6, run, event, by_whom, at, facts, hash, hash FROM countersign.audit "
            "WHERE id = 5",
            6,
        ),
        ("UPDATE countersign.audit SET by_whom = 'ben', hash = encode(sha256('x'), 'hex') WHERE id = 3", 3),
        ("UPDATE countersign.audit SET previous_hash = '' WHERE id = 2", 2),
    ],
)
async def test_whatever_a_superuser_changes_is_found(
    log: PostgresAuditLog, control_url: str, statement: str, broken: int
) -> None:
    _as_superuser(control_url, statement)
    assert await log.verify() == broken


async def test_the_log_goes_on_after_a_restart(log: PostgresAuditLog, pool: Pool) -> None:
    await PostgresAuditLog(pool, FrozenClock()).append(RunId("run-6"), "asked", "ana", {})
    assert await log.verify() is None


async def test_a_long_log_is_verified_to_its_end(log: PostgresAuditLog, control_url: str) -> None:
    for number in range(6, 1200):
        await log.append(RunId(f"run-{number}"), "asked", "ana", {})
    assert await log.verify() is None
    _as_superuser(control_url, "UPDATE countersign.audit SET event = 'decided' WHERE id = 1150")
    assert await log.verify() == 1150


async def test_entries_are_read_by_the_first_letters_of_a_run_and_by_time(pool: Pool) -> None:
    clock = FrozenClock()
    log = PostgresAuditLog(pool, clock)
    for run in ("ABC1", "ABD2", "ABC1"):
        await log.append(RunId(run), "asked", "ana", {"run": run})
        clock.advance(timedelta(hours=1))
    assert [entry.run for entry in await _read(log.entries("AB"))] == ["ABC1", "ABD2", "ABC1"]
    assert [entry.id for entry in await _read(log.entries("ABC"))] == [1, 3]
    assert [entry.id for entry in await _read(log.entries(since=clock.now() - timedelta(hours=2)))] == [2, 3]
    assert await _read(log.entries("%")) == []


async def test_more_entries_than_a_page_are_all_read(pool: Pool) -> None:
    log = PostgresAuditLog(pool, FrozenClock())
    for number in range(1_050):
        await log.append(RunId("run"), "asked", "ana", {"number": number})
    assert [entry.facts["number"] for entry in await _read(log.entries())] == list(range(1_050))


async def _read(entries: AsyncIterator[AuditEntry]) -> list[AuditEntry]:
    return [entry async for entry in entries]
