import io
import struct
import zipfile
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from agent.files.read import read_file
from agent.files.sheet import Sheet
from agent.values.file import FileLimits, FileRefused

Written = Callable[[str, bytes], Path]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    def write(name: str, content: bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content)
        return path

    return write


def tables(path: Path, limits: FileLimits | None = None) -> tuple[Sheet, ...]:
    found = read_file(path, path.name, limits)
    assert not isinstance(found, FileRefused), found
    return found


def only(path: Path) -> Sheet:
    (sheet,) = tables(path)
    return sheet


def refused(path: Path, limits: FileLimits | None = None) -> str:
    found = read_file(path, path.name, limits)
    assert isinstance(found, FileRefused)
    return found.reason


def rows(sheet: Sheet) -> list[list[Any]]:
    frame = pd.concat(sheet.batches())
    return [[None if pd.isna(cell) else _plain(cell) for cell in row] for row in frame.itertuples(index=False)]


def _plain(cell: Any) -> Any:
    if isinstance(cell, pd.Timestamp):
        return cell.date() if cell == cell.normalize() else cell.to_pydatetime()
    return cell.item() if hasattr(cell, "item") else cell


def types(sheet: Sheet) -> list[str]:
    return [column.type for column in sheet.table.columns]


def labels(sheet: Sheet) -> list[str]:
    return [column.label for column in sheet.table.columns]


def book(fill: Callable[[Workbook], None]) -> bytes:
    made, buffer = Workbook(), io.BytesIO()
    fill(made)
    made.save(buffer)
    return buffer.getvalue()


def first_of(made: Workbook) -> Worksheet:
    sheet = made.active
    assert isinstance(sheet, Worksheet)
    return sheet


def test_cyrillic_of_windows_with_semicolons_spaces_in_thousands_and_decimal_commas(written: Written) -> None:
    text = "Поставщик;Дата;Сумма, руб.\nВтормет Урал;05.10.2026;1 234 567,80\nЭкоЛом;17.10.2026;980,5\n"
    sheet = only(written("цены.csv", text.encode("cp1251")))
    assert labels(sheet) == ["Поставщик", "Дата", "Сумма, руб."]
    assert [column.name for column in sheet.table.columns] == ["postavshchik", "data", "summa_rub"]
    assert types(sheet) == ["text", "date", "decimal"]
    assert rows(sheet) == [["Втормет Урал", date(2026, 10, 5), 1234567.8], ["ЭкоЛом", date(2026, 10, 17), 980.5]]


def test_spanish_latin_1_with_titles_above_and_a_total_below(written: Written) -> None:
    text = (
        "Reporte de compras\nGenerado el 01/11/2026\n\nAño;Región;Importe\n2025;Áncash;1.234,50\n"
        "2026;Cañete;S/ 2.500,00\nTotal;;3.734,50\n"
    )
    sheet = only(written("compras.csv", text.encode("latin-1")))
    assert labels(sheet) == ["Año", "Región", "Importe"]
    assert rows(sheet) == [[2025, "Áncash", 1234.5], [2026, "Cañete", 2500.0]]
    assert sheet.table.remarks == ("rows_above", "totals_left_out")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8", "utf-8-sig"])
def test_unicode_in_any_width_with_tabs(written: Written, encoding: str) -> None:
    text = "name\tvalue\nñandú\t1,234.5\nплан\t2,000.0\n" + "plain words\t3.5\n" * 30
    sheet = only(written("data.txt", text.encode(encoding)))
    assert rows(sheet)[:2] == [["ñandú", 1234.5], ["план", 2000.0]]
    assert sheet.table.row_count == 32


def test_american_dates_are_told_from_european_ones_by_their_days(written: Written) -> None:
    american = only(written("us.csv", b"when,amount\n01/13/2026,5\n02/01/2026,6\n"))
    european = only(written("eu.csv", b"when,amount\n13/01/2026,5\n01/02/2026,6\n"))
    assert [row[0] for row in rows(american)] == [date(2026, 1, 13), date(2026, 2, 1)]
    assert [row[0] for row in rows(european)] == [date(2026, 1, 13), date(2026, 2, 1)]
    assert (american.table.remarks, european.table.remarks) == ((), ())


def test_dates_that_can_be_read_both_ways_are_read_day_first_and_it_is_said(written: Written) -> None:
    sheet = only(written("both.csv", b"when,amount\n01/02/2026,5\n03/04/2026,6\n"))
    assert rows(sheet)[0][0] == date(2026, 2, 1)
    assert sheet.table.remarks == ("day_first_assumed",)


def test_dates_of_both_orders_in_one_column_stay_text(written: Written) -> None:
    assert types(only(written("mix.csv", b"when,amount\n13/01/2026,5\n01/13/2026,6\n"))) == ["text", "integer"]


@pytest.mark.parametrize(
    ("values", "type_", "read"),
    [
        (["1,234", "5,678,901", "12"], "integer", [1234, 5678901, 12]),
        (["1.5", "2"], "decimal", [1.5, 2.0]),
        (["(1,200.50)", "3.25"], "decimal", [-1200.5, 3.25]),
        (["−5", "7"], "integer", [-5, 7]),
        (["12.5 %", "7 %"], "decimal", [0.125, 0.07]),
        (["$1,000.00", "$2.50"], "decimal", [1000.0, 2.5]),
        (["00123", "00045"], "text", ["00123", "00045"]),
        (["12345678901234567890", "1"], "text", ["12345678901234567890", "1"]),
        (["5", "n/a"], "integer", [5, None]),
        (["5", "five"], "text", ["5", "five"]),
        (["=1+1", "=2+2"], "text", ["=1+1", "=2+2"]),
        (["1.5", "2,5"], "text", ["1.5", "2,5"]),
        (["2026-10-01 08:30:00", "2026-10-02 09:00"], "timestamp",
         [datetime.fromisoformat("2026-10-01T08:30"), datetime.fromisoformat("2026-10-02T09:00")]),
    ],
)  # fmt: skip
def test_values_are_typed_only_when_all_of_them_fit(
    written: Written, values: list[str], type_: str, read: list[Any]
) -> None:
    content = "id\tvalue\n" + "".join(f"a{at}\t{value}\n" for at, value in enumerate(values))
    sheet = only(written("values.tsv", content.encode()))
    assert sheet.table.columns[1].type == type_
    found = [row[1] for row in rows(sheet)]
    assert found == pytest.approx(read) if type_ == "decimal" else found == read


def test_thousands_that_may_be_decimals_are_said_to_be_taken_on_trust(written: Written) -> None:
    plain = only(written("a.csv", b'id,value\na,"1,234"\nb,"5,678"\n'))
    comma = only(written("b.csv", b"id;value\na;1,234\nb;5,678\n"))
    assert ([row[1] for row in rows(plain)], plain.table.remarks) == ([1234, 5678], ("separator_assumed",))
    assert ([row[1] for row in rows(comma)], comma.table.remarks) == ([1.234, 5.678], ("separator_assumed",))


def test_a_table_without_a_header_is_named_like_a_spreadsheet(written: Written) -> None:
    sheet = only(written("bare.csv", b"1,2026-01-01,5.5\n2,2026-01-02,6.5\n"))
    assert (labels(sheet), sheet.table.remarks) == (["A", "B", "C"], ("no_header",))
    assert sheet.table.row_count == 2


def test_repeated_and_empty_labels_are_told_apart(written: Written) -> None:
    sheet = only(written("twice.csv", b"name,name,,amount\na,b,c,5\nd,e,f,6\n"))
    assert labels(sheet) == ["name", "name (2)", "C", "amount"]
    assert len({column.name for column in sheet.table.columns}) == 4


def test_quoted_line_ends_and_separators_belong_to_their_field(written: Written) -> None:
    sheet = only(written("quoted.csv", b'name,note,amount\n"Wong, S.A.","two\nlines",5\nTottus,"say ""hi""",6\n'))
    assert rows(sheet) == [["Wong, S.A.", "two\nlines", 5], ["Tottus", 'say "hi"', 6]]


def test_rows_with_too_many_fields_are_refused_and_not_dropped(written: Written) -> None:
    content = b"a,b\n" + b"1,2\n" * 100 + b"1,2,3\n"
    assert refused(written("ragged.csv", content)) == "ragged"


def _groups(made: Workbook) -> None:
    sheet = first_of(made)
    for row in (["Ventas por región", None, None, None, None], ["Región", "Ene", None, "Feb", None],
                [None, "Plan", "Real", "Plan", "Real"], ["Lima", 10, 11.5, 12, 13.25], [None, 20, 21, 22, 23],
                ["Cusco", 1, 2, 3, 4]):  # fmt: skip
        sheet.append(row)
    for cells in ("A1:E1", "B2:C2", "D2:E2", "A2:A3", "A4:A5"):
        sheet.merge_cells(cells)


def test_merged_titles_groups_and_members_of_a_workbook(written: Written) -> None:
    sheet = only(written("grupos.xlsx", book(_groups)))
    assert labels(sheet) == ["Región", "Ene Plan", "Ene Real", "Feb Plan", "Feb Real"]
    assert [row[0] for row in rows(sheet)] == ["Lima", "Lima", "Cusco"]
    assert rows(sheet)[0][1:] == [10, 11.5, 12, 13.25]
    assert set(sheet.table.remarks) == {"rows_above", "merged"}


def _several(made: Workbook) -> None:
    first = first_of(made)
    first.title = "Ventas 2026"
    first.append(["Fecha", "Monto"])
    first.append([date(2026, 10, 5), 1.234])
    made.create_sheet("Vacía")
    hidden = made.create_sheet("Notas")
    hidden.append(["Código", "Texto"])
    hidden.append(["007", "secreto"])
    hidden.sheet_state = "hidden"


def test_each_sheet_with_a_table_is_a_table_and_dates_stay_dates(written: Written) -> None:
    first, second = tables(written("libro.xlsx", book(_several)))
    assert (first.table.name, first.table.label) == ("ventas_2026", "Ventas 2026")
    assert rows(first) == [[date(2026, 10, 5), 1.234]]
    assert types(second) == ["text", "text"]
    assert second.table.remarks == ("hidden_sheet",)


def test_formulas_are_not_run_and_their_missing_results_are_said(written: Written) -> None:
    def fill(made: Workbook) -> None:
        sheet = first_of(made)
        sheet.append(["item", "price", "double"])
        sheet.append(["a", 5, "=B2*2"])
        sheet.append(["b", 6, '=HYPERLINK("http://x","y")'])

    sheet = only(written("formulas.xlsx", book(fill)))
    assert rows(sheet) == [["a", 5, None], ["b", 6, None]]
    assert sheet.table.remarks == ("formulas_empty",)


def _with_part(content: bytes, name: str, part: bytes) -> bytes:
    buffer = io.BytesIO(content)
    with zipfile.ZipFile(buffer, "a", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(name, part)
    return buffer.getvalue()


def test_a_workbook_with_a_macro_is_refused_whatever_it_is_called(written: Written) -> None:
    assert refused(written("macro.xlsx", _with_part(book(_several), "xl/vbaProject.bin", b"macro"))) == "macro"


def test_a_zip_bomb_is_refused_before_it_is_unpacked(written: Written) -> None:
    bomb = _with_part(book(_several), "xl/worksheets/sheet9.xml", b"0" * 30_000_000)
    assert refused(written("bomb.xlsx", bomb)) == "zip_bomb"
    large = _with_part(book(_several), "xl/media/a.bin", bytes(range(256)) * 4000)
    assert refused(written("large.xlsx", large), FileLimits(workbook_bytes=500_000)) in ("too_large", "zip_bomb")


def test_a_password_and_an_old_workbook_are_told_apart(written: Written) -> None:
    compound = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 600
    assert refused(written("secret.xlsx", compound + "EncryptedPackage".encode("utf-16-le"))) == "password"
    assert refused(written("old.xls", compound + "Workbook".encode("utf-16-le"))) == "old_excel"


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("empty.csv", b"", "empty"),
        ("blank.csv", b"\n\n  \n", "empty"),
        ("labels.csv", b"a,b,c\n", "empty"),
        ("picture.csv", b"\x89PNG\r\n\x1a\n" + struct.pack("<60I", *range(60)), "not_a_table"),
        ("cut.xlsx", b"PK\x03\x04broken", "damaged"),
    ],
)
def test_what_holds_no_table_is_refused_with_its_reason(
    written: Written, name: str, content: bytes, reason: str
) -> None:
    assert refused(written(name, content)) == reason


def test_a_zip_of_something_else_is_no_table(written: Written) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        packed.writestr("readme.txt", "hello")
    assert refused(written("other.zip", buffer.getvalue())) == "not_a_table"


def test_limits_are_kept(written: Written) -> None:
    path = written("rows.csv", b"a,b,c\n" + b"1,2,3\n" * 50)
    assert refused(path, FileLimits(rows=49)) == "too_many_rows"
    assert refused(path, FileLimits(columns=2)) == "too_many_columns"
    assert refused(path, FileLimits(bytes=100)) == "too_large"
    assert refused(written("many.xlsx", book(_several)), FileLimits(sheets=2)) == "too_many_sheets"


def test_chunks_make_one_table_whose_types_are_decided_by_all_rows(written: Written) -> None:
    content = b"id,value\n" + b"a,5\n" * 45_000 + b"a,five\n"
    sheet = only(written("long.csv", content))
    assert types(sheet) == ["text", "text"]
    assert sum(len(batch) for batch in sheet.batches()) == sheet.table.row_count == 45_001


def _formatted_to_the_end(made: Workbook) -> None:
    sheet = first_of(made)
    for row in (("Región", "Importe"), ("Lima", 1), ("Cusco", 2)):
        sheet.append(row)
    sheet.cell(1_048_576, 190).number_format = "0.00"


def test_formats_to_the_end_of_a_sheet_are_no_rows(written: Written) -> None:
    assert only(written("formats.xlsx", book(_formatted_to_the_end))).table.row_count == 2


def _far_off(made: Workbook) -> None:
    first_of(made).append(["Región", "Importe"])
    first_of(made).cell(1_048_576, 190).value = "x"


def test_a_lone_cell_far_off_is_refused_before_the_cells_up_to_it_are_made(written: Written) -> None:
    assert refused(written("far.xlsx", book(_far_off))) == "too_many_rows"
