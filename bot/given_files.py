"""A file given to a process of the terminal: read, loaded into a database of its own, and offered as a domain."""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from agent.files.domain import domain_of
from agent.files.read import read_file
from agent.values.file import FileRefused, FileTable
from agent.wording.texts import say
from bot.addresses import WarehouseAddress
from bot.warehouses import EngineNotInstalled
from semantic_catalog.model import LOCALES, Domain, DomainName, Locale

DOMAIN = DomainName("file")
# A file's instants carry no zone: they are shown as they stand.
ZONE = "UTC"


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenFile:
    """A file as a domain and the database that answers for it."""

    name: str
    tables: tuple[FileTable, ...]
    domain: Domain
    database: Path


@asynccontextmanager
async def taken_in(path: Path, locale: Locale) -> AsyncIterator[GivenFile | FileRefused]:
    """The file loaded for as long as the block lasts, and forgotten afterwards; or why it is not read.

    Raises `EngineNotInstalled` without the extra `duckdb`, and `OSError` for a path that cannot be read.
    """
    with tempfile.TemporaryDirectory(prefix="countersign-") as folder:
        yield await asyncio.to_thread(_load, path, Path(folder) / "file.duckdb", locale)


def given_address(given: GivenFile) -> dict[DomainName, WarehouseAddress]:
    """Where the file's domain is asked."""
    return {given.domain.name: WarehouseAddress(url=f"duckdb://{given.database}", dialect="duckdb")}


def _load(path: Path, database: Path, locale: Locale) -> GivenFile | FileRefused:
    try:
        from adapters.warehouses.duckdb.filling import write_tables
    except ImportError as error:
        raise EngineNotInstalled("files need 'countersign[duckdb]'") from error
    sheets = read_file(path, path.name)
    if isinstance(sheets, FileRefused):
        return sheets
    write_tables(database, sheets)
    tables = tuple(sheet.table for sheet in sheets)
    counted: dict[Locale, str] = {each: say(each, "file.count_of_rows") for each in LOCALES}
    domain = domain_of(DOMAIN, path.name, tables, counted, ZONE, locale)
    return GivenFile(name=path.name, tables=tables, domain=domain, database=database)
