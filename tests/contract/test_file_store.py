from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from adapters.control.postgres.connections import Pool
from adapters.control.postgres.files import PART_BYTES, PostgresFileStore
from agent.values.file import ColumnChange, FileColumn, FileId, FileTable, TableChange, ThreadFile
from agent.values.identity import PrincipalId, RunId, ThreadKey
from tests.fakes.clock import FrozenClock
from tests.fakes.stores import InMemoryFileStore

THREAD = ThreadKey("console:t")
Store = PostgresFileStore | InMemoryFileStore


@pytest.fixture(params=["postgres", "memory"])
def store(request: pytest.FixtureRequest) -> Store:
    if request.param == "memory":
        return InMemoryFileStore()
    pool: Pool = request.getfixturevalue("control")
    return PostgresFileStore(pool)


def file_of(clock: FrozenClock, name: str = "a", giver: str = "ana", thread: ThreadKey = THREAD) -> ThreadFile:
    column = FileColumn(name="importe", label="Importe", type="decimal", members=2, filled=3)
    return ThreadFile(
        id=FileId(name),
        thread=thread,
        giver=PrincipalId(giver),
        name="ventas.csv",
        size=3,
        locale="es",
        tables=(FileTable(name="ventas", label="ventas.csv", columns=(column,), row_count=3, remarks=("merged",)),),
        run=RunId("run"),
        given_at=clock.now(),
        expires_at=clock.now() + timedelta(days=7),
        changes=(TableChange(place=0, header_row=2, columns=(ColumnChange(place=0, type="integer"),)),),
        question="¿cuánto?",
    )


@pytest.fixture
def content(tmp_path: Path) -> Path:
    path = tmp_path / "content"
    path.write_bytes(bytes(range(256)) * (PART_BYTES // 256) + b"the last part")
    return path


async def test_a_file_comes_back_byte_for_byte(store: Store, clock: FrozenClock, content: Path, tmp_path: Path) -> None:
    file = file_of(clock)
    await store.add(file, content)
    assert await store.get(file.id, clock.now()) == file
    assert await store.fetch(file.id, tmp_path / "again")
    assert _bytes(tmp_path / "again") == _bytes(content)
    assert await store.get(FileId("b"), clock.now()) is None
    assert not await store.fetch(FileId("b"), tmp_path / "none")


def _bytes(path: Path) -> bytes:
    return path.read_bytes()


async def test_adding_again_changes_nothing(store: Store, clock: FrozenClock, content: Path) -> None:
    await store.add(file_of(clock), content)
    await store.add(replace(file_of(clock), name="other.csv"), content)
    assert (await store.of_thread(THREAD, clock.now()))[0].name == "ventas.csv"


async def test_files_are_found_by_thread_and_by_giver(store: Store, clock: FrozenClock, content: Path) -> None:
    elsewhere = ThreadKey("console:other")
    for file in (file_of(clock), file_of(clock, "b", "bob"), file_of(clock, "c", "ana", elsewhere)):
        await store.add(file, content)
    assert [file.id for file in await store.of_thread(THREAD, clock.now())] == ["a", "b"]
    assert [file.id for file in await store.of_giver(PrincipalId("ana"), clock.now())] == ["a", "c"]


async def test_an_update_keeps_the_bytes(store: Store, clock: FrozenClock, content: Path, tmp_path: Path) -> None:
    file = file_of(clock)
    assert not await store.update(file)
    await store.add(file, content)
    assert await store.update(replace(file, status="confirmed", version=2))
    kept = await store.get(file.id, clock.now())
    assert kept is not None
    assert (kept.status, kept.version) == ("confirmed", 2)
    assert await store.fetch(file.id, tmp_path / "again")


async def test_a_deleted_file_is_gone_with_its_bytes(
    store: Store, clock: FrozenClock, content: Path, tmp_path: Path
) -> None:
    await store.add(file_of(clock), content)
    assert await store.delete(FileId("a"))
    assert not await store.delete(FileId("a"))
    assert not await store.fetch(FileId("a"), tmp_path / "none")


async def test_a_file_is_gone_once_its_time_is_over(store: Store, clock: FrozenClock, content: Path) -> None:
    await store.add(file_of(clock), content)
    clock.advance(timedelta(days=7) - timedelta(seconds=1))
    assert await store.expire(clock.now()) == 0
    clock.advance(timedelta(seconds=1))
    assert await store.of_thread(THREAD, clock.now()) == ()
    assert await store.get(FileId("a"), clock.now()) is None
    assert await store.expire(clock.now()) == 1
