"""Tables of a file, written into a DuckDB database of their own."""

from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import duckdb
import pyarrow as pa

from agent.files.sheet import Sheet
from agent.values.file import FileColumn

_TYPES = {"text": "VARCHAR", "integer": "BIGINT", "decimal": "DOUBLE", "date": "DATE", "timestamp": "TIMESTAMP"}
_ARROW = {
    "text": pa.string(),
    "integer": pa.int64(),
    "decimal": pa.float64(),
    "date": pa.date32(),
    "timestamp": pa.timestamp("us"),
}
MEMORY = "192MB"


def write_tables(path: Path, sheets: Iterable[Sheet]) -> None:
    """Write each sheet that is not left out as the table of its name into a new database file, batch by batch. Blocks.

    The file appears under its name only when it is whole; one that is there already is replaced.
    """
    # Two processes over one folder may build it at once: each its own, and the last one stays.
    draft = path.with_name(f"{path.name}.{uuid4().hex}.part")
    config: dict[str, str | bool | int | float | list[str]] = {"memory_limit": MEMORY, "threads": 1}
    with closing(duckdb.connect(draft, config=config)) as database:
        for sheet in (each for each in sheets if not each.table.left_out):
            columns = sheet.table.columns
            database.execute(f"CREATE TABLE {sheet.table.name} ({', '.join(_declared(columns))})")
            for batch in sheet.batches():
                rows = pa.Table.from_pandas(batch, schema=_schema(columns), preserve_index=False)
                database.register("batch", rows)
                database.execute(f"INSERT INTO {sheet.table.name} SELECT * FROM batch")
                database.unregister("batch")
    draft.replace(path)


def _declared(columns: tuple[FileColumn, ...]) -> Iterator[str]:
    return (f"{column.name} {_TYPES[column.type]}" for column in columns)


def _schema(columns: tuple[FileColumn, ...]) -> pa.Schema:
    return pa.schema([(column.name, _ARROW[column.type]) for column in columns])
