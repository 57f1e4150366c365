"""A CSV as a table, read in chunks however long it is."""

from collections.abc import Iterator
from pathlib import Path

import pandas as pd
from pandas.errors import ParserError

from agent.files.delimiter import Beginning, read_beginning
from agent.files.encoding import encoding_of
from agent.files.header import Header, find_header, told_header
from agent.files.names import plain_name
from agent.files.sheet import Found, Sheet, describe
from agent.values.file import FileLimits, FileRefused, Remark, TableChange

CHUNK_ROWS = 20_000


def read_csv_file(
    path: Path, label: str, limits: FileLimits, changes: tuple[TableChange, ...] = ()
) -> tuple[Sheet, ...] | FileRefused:
    """The table of a CSV, its columns decided over all rows; the file is read through once here. Blocks.

    Refused: bytes that are no text, no rows, rows with more fields than the others, too many rows or columns.
    """
    encoding = encoding_of(path)
    if encoding is None:
        return FileRefused(reason="not_a_table")
    try:
        beginning = read_beginning(path, encoding)
        told = next((change for change in changes if change.place == 0), TableChange(place=0))
        return _read(path, label, encoding, beginning, limits, told)
    except UnicodeError:
        return FileRefused(reason="encoding")
    except ParserError:
        return FileRefused(reason="ragged")


def _read(
    path: Path, label: str, encoding: str, beginning: Beginning, limits: FileLimits, told: TableChange
) -> tuple[Sheet, ...] | FileRefused:
    if beginning.width > limits.columns:
        params = (("count", str(beginning.width)), ("most", str(limits.columns)))
        return FileRefused(reason="too_many_columns", params=params)
    if told.header_row is None:
        header = find_header(beginning.rows, beginning.width)
    else:
        header = told_header(beginning.rows, beginning.width, told.header_row)
    if beginning.width == 0 or header.data_from >= len(beginning.rows):
        return FileRefused(reason="empty")

    def chunks() -> Iterator[pd.DataFrame]:
        yield from _chunks(path, encoding, beginning, header)

    name = plain_name(Path(label).stem) or "file"
    found = Found(name=name, label=label, header=header, chunks=chunks, remarks=_remarks(header))
    sheet = describe(found, beginning.delimiter == ";", told)
    if sheet.table.row_count > limits.rows:
        params = (("count", str(sheet.table.row_count)), ("most", str(limits.rows)))
        return FileRefused(reason="too_many_rows", params=params)
    return (sheet,)


def _chunks(path: Path, encoding: str, beginning: Beginning, header: Header) -> Iterator[pd.DataFrame]:
    # The byte order mark, where there is one, is the encoding's own; a row may end in separators without a field.
    with pd.read_csv(
        path,
        sep=beginning.delimiter,
        encoding=encoding,
        header=None,
        names=list(range(beginning.width)),
        index_col=False,
        dtype="str",
        keep_default_na=False,
        skiprows=header.data_from,
        skip_blank_lines=False,
        chunksize=CHUNK_ROWS,
        on_bad_lines="error",
    ) as chunks:
        yield from chunks


def _remarks(header: Header) -> tuple[Remark, ...]:
    above: tuple[Remark, ...] = ("rows_above",) if header.rows_above else ()
    return above if header.found else (*above, "no_header")
