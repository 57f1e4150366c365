"""Files as databases of their own: built from the store where a process first needs one, and kept as a cache."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import partial
from pathlib import Path
from time import time
from typing import Any

from agent.errors import WarehouseUnavailable
from agent.files.beside import sheet_of
from agent.files.read import read_file
from agent.ports import Health, RowBatch
from agent.values.file import FileId, FileLimits, FileRefused, FileTable, TableChange, ThreadFile
from agent.values.governance import CheckedQuery, CostEstimate, GovernedQuery
from agent.values.identity import RunId
from bot.files.apart import apart
from bot.ports import FileStore
from bot.warehouses import ClosableWarehouse, EngineNotInstalled
from semantic_catalog.model import Dialect, Domain, DomainName

OPENED = 16
"""Databases of files that one process keeps open; the one opened first is closed for the next."""

DRAFT_SECONDS = 3600.0
"""A database that is written for longer is no more: whoever wrote it was cut short."""

CONNECTIONS = 2
MEMORY = "256MB"
"""Of each database; what needs more fails with its reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileCache:
    """The databases of files in a folder of this process. Losing the folder loses nothing: it is filled again."""

    folder: Path
    store: FileStore
    limits: FileLimits = field(default_factory=FileLimits)
    _opened: dict[DomainName, ClosableWarehouse] = field(default_factory=dict)
    _building: dict[DomainName, asyncio.Lock] = field(default_factory=dict)

    async def read(
        self, content: Path, name: str, changes: tuple[TableChange, ...]
    ) -> tuple[FileTable, ...] | FileRefused:
        """The tables of a file as they are read, or why it is not. Raises `EngineNotInstalled` without DuckDB."""
        await asyncio.to_thread(_engine)
        return await apart(content, _tables, content, name, self.limits, changes)

    def warehouse(self, file: ThreadFile, domain: Domain, original: ThreadFile | None = None) -> "FileWarehouse":
        """What answers for the file, with `original` for what it is beside; nothing is built before it is asked."""
        ready = partial(self._ready, file, domain, original)
        return FileWarehouse(ready=ready, opened=partial(self._opened.get, domain.name))

    async def forget(self, file: FileId) -> None:
        """Close and delete every database of the file in this process."""
        for name in [name for name in self._opened if _id_of(name) == file]:
            await self._opened.pop(name).close()
            self._building.pop(name, None)
        for path in await asyncio.to_thread(_databases, self.folder):
            if _id_of(path.name) != file:
                continue
            await asyncio.to_thread(path.unlink, missing_ok=True)

    async def sweep(self, now: datetime) -> int:
        """Forget the files that the store no longer has; how many databases went."""
        paths = await asyncio.to_thread(_databases, self.folder)
        gone = {_id_of(path.name) for path in paths}
        gone = {file for file in gone if await self.store.get(file, now) is None}
        for file in gone:
            await self.forget(file)
        await asyncio.to_thread(_drop_drafts, self.folder)
        return len(gone)

    async def close(self) -> None:
        """Close every database; the files stay."""
        for warehouse in self._opened.values():
            await warehouse.close()
        self._opened.clear()

    async def _ready(self, file: ThreadFile, domain: Domain, original: ThreadFile | None) -> ClosableWarehouse:
        async with self._building.setdefault(domain.name, asyncio.Lock()):
            if domain.name not in self._opened:
                path = self.folder / f"{domain.name}.duckdb"
                if not await asyncio.to_thread(path.exists):
                    await self._build(file, original, path)
                await self._make_room()
                self._opened[domain.name] = _open(path, domain)
            return self._opened[domain.name]

    async def _build(self, file: ThreadFile, original: ThreadFile | None, path: Path) -> None:
        with tempfile.TemporaryDirectory(prefix="countersign-") as folder:
            contents = []
            for held in (file, original) if original else (file,):
                contents.append(Path(folder) / held.id)
                if not await self.store.fetch(held.id, contents[-1]):
                    raise WarehouseUnavailable("the file is gone")
            await apart(contents[-1], _load, file, original, contents, path, self.limits)

    async def _make_room(self) -> None:
        while len(self._opened) >= OPENED:
            oldest = next(iter(self._opened))
            await self._opened.pop(oldest).close()


@dataclass(frozen=True, slots=True, kw_only=True)
class FileWarehouse:
    """Implements `Warehouse` for one file: its database is built, or built again, when it is asked."""

    ready: Callable[[], Awaitable[ClosableWarehouse]]
    opened: Callable[[], ClosableWarehouse | None]

    @property
    def dialect(self) -> Dialect:
        """The dialect of every file."""
        return "duckdb"

    async def estimate(self, query: CheckedQuery) -> CostEstimate:
        """What the planner expects; runs nothing."""
        return await (await self.ready()).estimate(query)

    async def stream(self, query: GovernedQuery, run: RunId) -> AsyncIterator[RowBatch]:
        """The rows, in batches, at most the query's row limit."""
        stream: Any = (await self.ready()).stream(query, run)
        async with aclosing(stream) as batches:
            async for batch in batches:
                yield batch

    async def cancel(self, run: RunId) -> bool:
        """Stop the run's statement; False when none is running here."""
        warehouse = self.opened()
        return await warehouse.cancel(run) if warehouse else False

    async def members(self, source: str, column: str, limit: int, where: str = "") -> tuple[str, ...]:
        """Distinct non-null values of a column in rows that `where` holds for, as text, at most `limit`."""
        return await (await self.ready()).members(source, column, limit, where)

    async def latest(self, source: str, column: str) -> date | None:
        """The last day of data; None when empty."""
        return await (await self.ready()).latest(source, column)

    async def health(self) -> Health:
        """Whether the file's database answers."""
        return await (await self.ready()).health()


def _id_of(name: str) -> FileId:
    """The file that a domain or a database is of: their names are `file_<id>_<version>` or `beside_<id>_<version>`."""
    return FileId(name.split("_")[1])


def _databases(folder: Path) -> tuple[Path, ...]:
    return tuple(folder.glob("*_*_*.duckdb")) if folder.exists() else ()


def _drop_drafts(folder: Path) -> None:
    """What was being written when its process was killed."""
    oldest = time() - DRAFT_SECONDS
    for draft in folder.glob("*.duckdb.*.part*") if folder.exists() else ():
        with suppress(FileNotFoundError):
            if draft.stat().st_mtime < oldest:
                draft.unlink()


def _open(path: Path, domain: Domain) -> ClosableWarehouse:
    _engine()
    from adapters.warehouses.duckdb.options import DuckDbOptions
    from adapters.warehouses.duckdb.warehouse import DuckDbWarehouse

    options = DuckDbOptions(timezone=domain.timezone, memory=MEMORY, threads=1, max_connections=CONNECTIONS)
    return DuckDbWarehouse(path, options)


def _engine() -> None:
    try:
        import adapters.warehouses.duckdb.filling  # noqa: F401  # whether the extra is installed
    except ImportError as error:
        raise EngineNotInstalled("files need 'countersign[duckdb]'") from error


def _tables(
    content: Path, name: str, limits: FileLimits, changes: tuple[TableChange, ...]
) -> tuple[FileTable, ...] | FileRefused:
    sheets = read_file(content, name, limits, changes)
    return sheets if isinstance(sheets, FileRefused) else tuple(sheet.table for sheet in sheets)


def _load(file: ThreadFile, original: ThreadFile | None, contents: list[Path], path: Path, limits: FileLimits) -> None:
    _engine()
    from adapters.warehouses.duckdb.filling import write_tables

    whole, content = original or file, contents[-1]
    sheets = read_file(content, whole.name, limits, whole.changes)
    if isinstance(sheets, FileRefused):
        raise WarehouseUnavailable(f"the file is no longer read: {sheets.reason}")
    beside = (sheet_of(file.tables[0], contents[0]),) if original else ()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_tables(path, (*sheets, *beside))
