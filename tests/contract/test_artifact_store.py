from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

import pytest

from adapters.control.postgres.artifacts import PART_BYTES, PostgresArtifactStore
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


def long_file(content: bytes) -> Attachment:
    async def parts() -> AsyncIterator[bytes]:
        for start in range(0, len(content), 1_000_000):
            yield content[start : start + 1_000_000]

    return replace(CHART, key="workbook", content=b"", length=len(content), parts=parts)


async def bytes_of(attachment: Attachment | None) -> bytes:
    return b"".join([part async for part in attachment.read()]) if attachment else b"nothing"


async def test_a_file_in_parts_comes_back_byte_for_byte_and_can_be_stored_as_another(store: ArtifactStore) -> None:
    content = bytes(range(251)) * 40_000
    await store.put(RUN, long_file(content))
    kept = await store.get(RUN, "workbook")
    assert kept is not None
    assert (kept.size, kept.name) == (len(content), CHART.name)
    assert await bytes_of(kept) == content
    await store.put(RUN, replace(kept, key="again"))
    assert await bytes_of(await store.get(RUN, "again")) == content
    await store.put(RUN, long_file(b"less"))
    assert await bytes_of(await store.get(RUN, "workbook")) == b"less"
    await store.put(RUN, replace(CHART, key="workbook"))
    assert await bytes_of(await store.get(RUN, "workbook")) == CHART.content


async def test_a_long_file_is_read_a_part_at_a_time(control: Pool, clock: FrozenClock) -> None:
    store = PostgresArtifactStore(control, clock, KEEP)
    await store.put(RUN, long_file(b"x" * (PART_BYTES + 1)))
    kept = await store.get(RUN, "workbook")
    assert kept is not None
    assert [len(part) async for part in kept.read()] == [PART_BYTES, 1]


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
