import asyncio
import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from typer.testing import CliRunner, Result

from adapters.control.postgres.audit import PostgresAuditLog
from adapters.control.postgres.connections import create_pool
from adapters.control.postgres.migrate import migrate
from agent.values.identity import RunId
from bot.commands.audit import audit_app
from tests.fakes.clock import FrozenClock

Command = Callable[..., Result]


@pytest.fixture
def command(fresh_database: str, tmp_path: Path) -> Command:
    """`countersign audit …` over a log of five events of two runs, an hour apart."""
    asyncio.run(_written(fresh_database))
    variables = {
        "CONTROL_DATABASE_URL": fresh_database,
        "REDIS_URL": "redis://127.0.0.1:1",
        "WAREHOUSE_URLS": '{"payments": "postgresql://127.0.0.1:1/none"}',
        "DATA_DIR": str(tmp_path),
    }
    return lambda *arguments: CliRunner().invoke(audit_app, list(arguments), env=variables)


async def _written(url: str) -> None:
    await migrate(url)
    pool, clock = create_pool(url), FrozenClock()
    log = PostgresAuditLog(pool, clock)
    for run, event in (("7F3KAA", "asked"), ("7F3KAA", "proposed"), ("7G0000", "asked"), ("7F3KAA", "ran")):
        await log.append(RunId(run), event, "ana", {"tier": "asker", "rows": 4})
        clock.advance(timedelta(hours=1))
    await pool.close()


def test_show_prints_a_run_by_its_first_letters_an_event_a_line(command: Command) -> None:
    result = command("show", "7f3")
    assert result.exit_code == 0
    assert [line.split()[2] for line in result.output.splitlines()] == ["asked", "proposed", "ran"]
    assert "2026-11-01 15:00:00  asked         ana               rows=4 tier=asker" in result.output


@pytest.mark.parametrize(("run", "told"), [("7", "7F3KAA, 7G0000"), ("X", "0 runs begin with X.")])
def test_show_says_when_it_is_not_one_run(command: Command, run: str, told: str) -> None:
    result = command("show", run)
    assert result.exit_code == 1
    assert told in result.output


def test_export_prints_one_object_a_line_from_an_instant_on(command: Command) -> None:
    everything = [json.loads(line) for line in command("export").output.splitlines()]
    assert [entry["event"] for entry in everything] == ["asked", "proposed", "asked", "ran"]
    assert all(entry["hash"] for entry in everything)
    since = command("export", "--since", "2026-11-01T17:00:00").output.splitlines()
    assert [json.loads(line)["run"] for line in since] == ["7G0000", "7F3KAA"]


def test_verify_names_the_first_broken_entry(command: Command, fresh_database: str) -> None:
    assert command("verify").output == "The chain is whole.\n"
    with psycopg.connect(fresh_database, autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")
        connection.execute("UPDATE countersign.audit SET by_whom = 'ben' WHERE id = 2")
    result = command("verify")
    assert result.exit_code == 1
    assert "entry 2" in result.output
