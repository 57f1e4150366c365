import asyncio
import os
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from time import time

import pytest

from agent.errors import WarehouseUnavailable
from agent.values.file import FileId, ThreadFile
from agent.values.identity import PrincipalId, RunId, ThreadKey
from bot.files.apart import SMALL_BYTES, apart
from bot.files.loaded import FileCache
from bot.files.offering import file_domain
from tests.fakes.clock import FrozenClock
from tests.fakes.stores import InMemoryFileStore


@pytest.fixture
def cache(tmp_path: Path) -> FileCache:
    return FileCache(folder=tmp_path / "files", store=InMemoryFileStore())


async def given(cache: FileCache, clock: FrozenClock, folder: Path, name: str = "a1") -> ThreadFile:
    content = folder / f"{name}.csv"
    _write(content)
    tables = await cache.read(content, "ventas.csv", ())
    assert isinstance(tables, tuple)
    file = ThreadFile(
        id=FileId(name),
        thread=ThreadKey("console:t"),
        giver=PrincipalId("ana"),
        name="ventas.csv",
        size=10,
        locale="en",
        tables=tables,
        run=RunId("r"),
        given_at=clock.now(),
        expires_at=clock.now() + timedelta(days=1),
    )
    await cache.store.add(file, content)
    return file


async def test_a_database_is_built_when_it_is_first_asked_and_again_when_it_is_lost(
    cache: FileCache, clock: FrozenClock, tmp_path: Path
) -> None:
    file = await given(cache, clock, tmp_path)
    warehouse = cache.warehouse(file, file_domain(file))
    assert _databases(cache) == []
    assert await warehouse.members("main.ventas", "region", 10) == ("Cusco", "Lima")
    assert _databases(cache) == ["file_a1_1.duckdb"]
    await cache.close()
    (cache.folder / "file_a1_1.duckdb").unlink()
    assert await warehouse.members("main.ventas", "region", 10) == ("Cusco", "Lima")
    await cache.close()


async def test_two_processes_over_one_folder_may_build_the_same_file_at_once(
    cache: FileCache, clock: FrozenClock, tmp_path: Path
) -> None:
    file, other = await given(cache, clock, tmp_path), replace(cache, _opened={}, _building={})
    asked = (each.warehouse(file, file_domain(file)).members("main.ventas", "region", 10) for each in (cache, other))
    assert await asyncio.gather(*asked) == [("Cusco", "Lima"), ("Cusco", "Lima")]
    await cache.close()
    await other.close()


async def test_a_draft_that_a_killed_process_left_is_swept(cache: FileCache, clock: FrozenClock) -> None:
    cache.folder.mkdir()
    for name, age in (("old", 7200), ("new", 0)):
        draft = cache.folder / f"file_a1_1.duckdb.{name}.part"
        draft.touch()
        os.utime(draft, (time() - age, time() - age))
    await cache.sweep(clock.now())
    assert [path.name for path in cache.folder.iterdir()] == ["file_a1_1.duckdb.new.part"]


async def test_what_the_store_no_longer_has_is_swept(cache: FileCache, clock: FrozenClock, tmp_path: Path) -> None:
    for name in ("a1", "b2"):
        file = await given(cache, clock, tmp_path, name)
        await cache.warehouse(file, file_domain(file)).health()
    assert await cache.sweep(clock.now()) == 0
    await cache.store.delete(FileId("b2"))
    assert await cache.sweep(clock.now()) == 1
    assert _databases(cache) == ["file_a1_1.duckdb"]
    clock.advance(timedelta(days=1))
    assert await cache.sweep(clock.now()) == 1
    assert _databases(cache) == []


async def test_a_file_that_is_gone_is_unavailable_and_leaves_nothing(
    cache: FileCache, clock: FrozenClock, tmp_path: Path
) -> None:
    file = await given(cache, clock, tmp_path)
    await cache.store.delete(file.id)
    with pytest.raises(WarehouseUnavailable):
        await cache.warehouse(file, file_domain(file)).health()
    assert _databases(cache) == []


async def test_a_large_file_is_read_in_a_process_of_its_own(tmp_path: Path) -> None:
    small, large = tmp_path / "small", tmp_path / "large"
    small.touch()
    large.touch()
    os.truncate(large, SMALL_BYTES + 1)
    assert await apart(small, os.getpid) == os.getpid()
    assert await apart(large, os.getpid) != os.getpid()


async def test_a_process_that_is_killed_takes_nothing_down(tmp_path: Path) -> None:
    large = tmp_path / "large"
    large.touch()
    os.truncate(large, SMALL_BYTES + 1)
    with pytest.raises(WarehouseUnavailable):
        await apart(large, os.abort)


def _write(path: Path) -> None:
    path.write_text("Región,Importe\nLima,1\nCusco,2\nLima,3\n", encoding="utf-8")


def _databases(cache: FileCache) -> list[str]:
    return sorted(path.name for path in cache.folder.glob("*.duckdb"))
