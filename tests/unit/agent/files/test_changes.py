from pathlib import Path

import pytest

from agent.files.changes import Misread, read_changes, says
from agent.files.read import read_file
from agent.values.file import ColumnChange, FileColumn, FileRefused, FileTable, TableChange

COLUMNS = tuple(FileColumn(name=f"c{at}", label=f"C{at}", type="text") for at in range(3))
ONE = (FileTable(name="ventas", label="ventas.csv", columns=COLUMNS, row_count=9),)
TWO = (*ONE, FileTable(name="otra", label="Otra", columns=COLUMNS, row_count=9))


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ("3 = Net sales; number; add up", ColumnChange(place=2, label="Net sales", type="decimal", use="sum")),
        ("3 = Ventas netas; número; sumar", ColumnChange(place=2, label="Ventas netas", type="decimal", use="sum")),
        ("3: Выручка; число; складывать", ColumnChange(place=2, label="Выручка", type="decimal", use="sum")),
        ("1 = month first", ColumnChange(place=0, type="date", day_first=False)),
        ("1 = coma decimal", ColumnChange(place=0, type="decimal", decimal_comma=True)),
        ("2 = процент; усреднять", ColumnChange(place=1, type="decimal", percent=True, use="average")),
        ("2 = text; nothing", ColumnChange(place=1, type="text", use="show")),
    ],
)
def test_a_columns_line_says_its_name_type_and_use(line: str, column: ColumnChange) -> None:
    assert read_changes(line, ONE) == (TableChange(place=0, columns=(column,)),)


@pytest.mark.parametrize(
    ("line", "change"),
    [
        ("header row 2", TableChange(place=0, header_row=2)),
        ("encabezados en la fila 2.4", TableChange(place=1, header_row=4)),
        ("без заголовков", TableChange(place=0, header_row=0)),
        ("without sheet 2", TableChange(place=1, left_out=True)),
        ("sin la hoja 2", TableChange(place=1, left_out=True)),
        ("2.1 = date", TableChange(place=1, columns=(ColumnChange(place=0, type="date"),))),
    ],
)
def test_a_tables_line_says_its_headers_and_whether_it_counts(line: str, change: TableChange) -> None:
    assert read_changes(line, TWO) == (change,)


def test_lines_add_to_what_was_said_before() -> None:
    before = read_changes("1 = Día de venta", TWO)
    assert not isinstance(before, Misread)
    after = read_changes("1 = date\nwithout sheet 2", TWO, before)
    assert after == (
        TableChange(place=0, columns=(ColumnChange(place=0, label="Día de venta", type="date"),)),
        TableChange(place=1, left_out=True),
    )


@pytest.mark.parametrize("line", ["9 = number", "3.1 = number", "without sheet 7", "make it nicer", "header row"])
def test_a_line_that_says_nothing_changes_nothing(line: str) -> None:
    assert read_changes(f"1 = number\n{line}", TWO) == Misread(line=line)


@pytest.mark.parametrize("text", ["Delete the file.", "borra el archivo", "Удали файл"])
def test_deleting_is_said_in_three_languages(text: str) -> None:
    assert says("delete", text)
    assert not says("delete", f"{text} de ventas")


def test_values_that_are_not_of_a_told_type_count_as_missing(tmp_path: Path) -> None:
    path = tmp_path / "ventas.csv"
    path.write_text("Fecha,Importe,Nota\n01/02/2026,10,3\n13/02/2026,x,cuatro\n03/04/2026,2.5,5\n", encoding="utf-8")
    changes = read_changes("1 = month first\n2 = number; add up\n3 = whole number; nothing", _tables(path))
    assert not isinstance(changes, Misread)
    found = read_file(path, path.name, changes=changes)
    assert not isinstance(found, FileRefused)
    (sheet,) = found
    assert [(column.type, column.misfits) for column in sheet.table.columns] == [
        ("date", 0), ("decimal", 1), ("integer", 1),
    ]  # fmt: skip
    (rows,) = sheet.batches()
    assert list(rows["importe"].fillna(-1)) == [10.0, -1.0, 2.5]
    assert [day.month for day in rows["fecha"]] == [1, 2, 3]


def test_another_row_of_headers_is_taken_as_told(tmp_path: Path) -> None:
    path = tmp_path / "ventas.csv"
    path.write_text("Ventas,Todas\nRegión,Importe\nLima,10\n", encoding="utf-8")
    found = read_file(path, path.name, changes=(TableChange(place=0, header_row=2),))
    assert not isinstance(found, FileRefused)
    (sheet,) = found
    assert [column.label for column in sheet.table.columns] == ["Región", "Importe"]
    assert (sheet.table.header_row, sheet.table.row_count) == (2, 1)


def _tables(path: Path) -> tuple[FileTable, ...]:
    found = read_file(path, path.name)
    assert not isinstance(found, FileRefused)
    return tuple(sheet.table for sheet in found)
