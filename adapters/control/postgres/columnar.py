"""Rows as a compressed Arrow stream and back, every cell exactly as it was.

Each column is stored by what its cells are. Where Arrow has no type that gives a value back unchanged (a decimal's own
scale, integers past 64 bits, columns of mixed kinds), text is stored and the field's metadata says how to read it.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, tzinfo
from decimal import Decimal
from typing import Literal
from zoneinfo import ZoneInfo

import pyarrow as pa

from agent.values.result import Cell, Row

Kind = Literal["text", "boolean", "integer", "float", "decimal", "date", "naive", "instant", "mixed"]
_KIND = b"kind"
_ZONE = b"zone"
_INT64 = range(-(2**63), 2**63)

_READERS: dict[str, Callable[[str], Cell]] = {
    "text": str,
    "boolean": lambda text: text == "True",
    "integer": int,
    "float": float,
    "decimal": Decimal,
    "date": date.fromisoformat,
    "naive": datetime.fromisoformat,
    "instant": datetime.fromisoformat,
}


def give_memory_back() -> None:
    """From now on this process's Arrow memory goes back to the system at once: its own pools keep tens of megabytes."""
    pa.set_memory_pool(pa.system_memory_pool())


def pack(width: int, rows: Sequence[Row]) -> bytes:
    """At least one row of `width` cells as an Arrow IPC stream, compressed with Zstandard."""
    columns = [_column([row[index] for row in rows]) for index in range(width)]
    fields = [field.with_name(str(index)) for index, (field, _) in enumerate(columns)]
    table = pa.Table.from_arrays([array for _, array in columns], schema=pa.schema(fields))
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


def unpack(data: bytes) -> tuple[Row, ...]:
    """The rows that `pack` wrote."""
    return _rows(pa.ipc.open_stream(data).read_all())


def unpack_pieces(data: bytes, start: int, most: int) -> Iterator[tuple[Row, ...]]:
    """The rows that `pack` wrote, from the row `start` on, in pieces of at most `most`."""
    table = pa.ipc.open_stream(data).read_all()
    for at in range(start, table.num_rows, most):
        yield _rows(table.slice(at, most))


def _rows(table: pa.Table) -> tuple[Row, ...]:
    columns = [_cells(table.schema.field(index), table.column(index)) for index in range(table.num_columns)]
    return tuple(zip(*columns, strict=True))


def _column(cells: list[Cell]) -> tuple[pa.Field, pa.Array]:
    kind = _shared_kind(cells)
    match kind:
        case "boolean":
            return _field(kind, pa.bool_()), pa.array(cells, pa.bool_())
        case "integer":
            return _field(kind, pa.int64()), pa.array(cells, pa.int64())
        case "float":
            return _field(kind, pa.float64()), pa.array(cells, pa.float64(), from_pandas=False)
        case "date":
            return _field(kind, pa.date32()), pa.array(cells, pa.date32())
        case "naive":
            return _field(kind, pa.timestamp("us")), pa.array(cells, pa.timestamp("us"))
        case "instant":
            instants = pa.timestamp("us", tz="UTC")
            return _field(kind, instants, zone=_zone_of(cells)), pa.array(cells, instants)
        case "text" | "decimal":
            return _field(kind, pa.string()), pa.array([_written(cell) for cell in cells], pa.string())
        case "mixed":
            return _field(kind, pa.string()), pa.array([_tagged(cell) for cell in cells], pa.string())


def _cells(field: pa.Field, column: pa.ChunkedArray) -> list[Cell]:
    cells: list[Cell] = column.to_pylist()
    match field.metadata[_KIND].decode():
        case "decimal":
            return [None if cell is None else Decimal(str(cell)) for cell in cells]
        case "mixed":
            return [None if cell is None else _untagged(str(cell)) for cell in cells]
        case "instant":
            zone = _zone_named(field.metadata[_ZONE].decode())
            return [cell.astimezone(zone) if isinstance(cell, datetime) else None for cell in cells]
        case _:
            return cells


def _shared_kind(cells: list[Cell]) -> Kind:
    kinds = {_kind(cell) for cell in cells if cell is not None}
    if len(kinds) > 1:
        return "mixed"
    kind = kinds.pop() if kinds else "text"
    fits = {
        "integer": lambda: all(cell in _INT64 for cell in cells if cell is not None),
        "instant": lambda: _zone_of(cells) != "",
    }
    return kind if fits.get(kind, lambda: True)() else "mixed"


def _kind(cell: Cell) -> Kind:
    match cell:
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "float"
        case Decimal():
            return "decimal"
        case datetime():
            return "naive" if cell.tzinfo is None else "instant"
        case date():
            return "date"
        case _:
            return "text"


def _zone_of(cells: list[Cell]) -> str:
    """The IANA name of the one zone all instants are in; empty when they differ or their zone has no name."""
    zones = {_zone_name(cell) for cell in cells if isinstance(cell, datetime)}
    return zones.pop() if len(zones) == 1 else ""


def _zone_name(instant: datetime) -> str:
    if instant.tzinfo is UTC:
        return "UTC"
    return getattr(instant.tzinfo, "key", None) or ""


def _zone_named(name: str) -> tzinfo:
    return UTC if name == "UTC" else ZoneInfo(name)


def _field(kind: Kind, type_: pa.DataType, zone: str = "") -> pa.Field:
    return pa.field("", type_, metadata={_KIND: kind.encode(), _ZONE: zone.encode()})


def _written(cell: Cell) -> str | None:
    if cell is None:
        return None
    return cell.isoformat() if isinstance(cell, date) else str(cell)


def _tagged(cell: Cell) -> str | None:
    return None if cell is None else f"{_kind(cell)}:{_written(cell)}"


def _untagged(text: str) -> Cell:
    kind, _, written = text.partition(":")
    return _READERS[kind](written)
