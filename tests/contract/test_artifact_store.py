from dataclasses import replace
from datetime import timedelta

import pytest

from adapters.control.postgres.artifacts import PostgresArtifactStore
from adapters.control.postgres.connections import Pool
from agent.values.identity import RunId
from bot.ports import ArtifactStore
from cards.elements import Attachment
from tests.fakes.clock import FrozenClock
from tests.fakes.stores import InMemoryArtifactStore

RUN = RunId("run-1")
KEEP = timedelta(days=7)
CHART = Attachment(
    key="chart",
    name="tasa.png",
    media_type="image/png",
    title="Tasa",
    content=bytes(range(256)) * 4000,
    alt="Una línea",
)


@pytest.fixture(params=["postgres", "memory"])
def store(request: pytest.FixtureRequest, clock: FrozenClock) -> PostgresArtifactStore | InMemoryArtifactStore:
    if request.param == "memory":
        return InMemoryArtifactStore(clock, KEEP)
    pool: Pool = request.getfixturevalue("control")
    return PostgresArtifactStore(pool, clock, KEEP)


async def test_a_file_comes_back_byte_for_byte(store: ArtifactStore) -> None:
    assert await store.get(RUN, "chart") is None
    await store.put(RUN, CHART)
    assert await store.get(RUN, "chart") == CHART
    assert await store.get(RunId("run-2"), "chart") is None


async def test_storing_again_replaces(store: ArtifactStore) -> None:
    await store.put(RUN, CHART)
    await store.put(RUN, replace(CHART, content=b"new", alt=""))
    assert await store.get(RUN, "chart") == replace(CHART, content=b"new", alt="")


async def test_a_file_is_gone_once_its_time_is_over(
    store: PostgresArtifactStore | InMemoryArtifactStore, clock: FrozenClock
) -> None:
    await store.put(RUN, CHART)
    clock.advance(KEEP - timedelta(seconds=1))
    assert await store.expire(clock.now()) == 0
    assert await store.get(RUN, "chart") == CHART
    clock.advance(timedelta(seconds=1))
    assert await store.get(RUN, "chart") is None
    assert await store.expire(clock.now()) == 1
    assert await store.expire(clock.now()) == 0
