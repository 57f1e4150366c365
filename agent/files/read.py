"""A file given in a thread: its tables, or why it is not read."""

from pathlib import Path

from agent.files.csv_file import read_csv_file
from agent.files.kind import kind_of
from agent.files.sheet import Sheet
from agent.files.workbook_file import read_workbook_file
from agent.values.file import FileLimits, FileRefused, TableChange


def read_file(
    path: Path, name: str, limits: FileLimits | None = None, changes: tuple[TableChange, ...] = ()
) -> tuple[Sheet, ...] | FileRefused:
    """The tables of a CSV or of an Excel workbook, whatever the file is called; `name` is its label. Blocks.

    `changes` are what a person said of how it is to be read; tables that they leave out are described all the same.
    Nothing in the file is run: no macro, no formula, no link. All else, and all beyond the limits, is refused.
    """
    bounds = limits or FileLimits()
    match kind_of(path, bounds):
        case "csv":
            return read_csv_file(path, name, bounds, changes)
        case "workbook":
            return read_workbook_file(path, name, bounds, changes)
        case FileRefused() as refused:
            return refused
