import asyncio

import psycopg
import pytest

from adapters.control.postgres.health import health
from adapters.control.postgres.migrate import migrate, migrations
from agent.errors import StoreFailed, StoreUnavailable
from tests.fakes.relay import Relay

NAMES = tuple(migration.name for migration in migrations())


def test_migrations_are_numbered_without_gaps() -> None:
    assert [migration.number for migration in migrations()] == list(range(1, len(NAMES) + 1))


async def test_applies_what_is_missing_once(empty_database: str) -> None:
    assert not (await health(empty_database)).ok
    assert await migrate(empty_database) == NAMES
    assert (await health(empty_database)).ok
    assert await migrate(empty_database) == ()


async def test_several_processes_at_once_apply_everything_once(empty_database: str) -> None:
    applied = await asyncio.gather(*(migrate(empty_database) for _ in range(4)))
    assert sorted(applied, key=len) == [(), (), (), NAMES]
    assert (await health(empty_database)).ok


async def test_refuses_a_database_whose_scripts_were_others(empty_database: str) -> None:
    await migrate(empty_database)
    with psycopg.connect(empty_database, autocommit=True) as connection:
        connection.execute("UPDATE countersign.migrations SET digest = 'x' WHERE number = 1")
    with pytest.raises(StoreFailed, match=NAMES[0]):
        await migrate(empty_database)


async def test_says_so_when_the_database_is_away(relayed_url: str, relay: Relay) -> None:
    await relay.shut()
    with pytest.raises(StoreUnavailable):
        await migrate(relayed_url)
    state = await health(relayed_url)
    assert not state.ok
    assert "refused" in state.detail


async def test_health_does_not_wait_for_a_database_that_hangs(relayed_url: str, relay: Relay) -> None:
    relay.freeze()
    state = await health(relayed_url, patience=0.2)
    assert (state.ok, state.detail) == (False, "no answer")
