from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from agent.analysis.engine_columns import SeenCells, engine_columns
from agent.analysis.layout import read_layout
from agent.analysis.quantities import Quantity
from agent.values.result import Cell, ResultColumn, Row
from tests.unit.agent.understanding.asking import payments


def seen(described: tuple[tuple[str, str], ...], *rows: Row) -> SeenCells:
    cells = SeenCells(described)
    for row in rows:
        cells.add((row,))
    return cells


def column(name: str, engine_type: str, *cells: Cell) -> ResultColumn:
    return engine_columns(seen(((name, engine_type),), *((cell,) for cell in cells)), payments(), "en")[0]


@pytest.mark.parametrize(
    ("cell", "engine_type", "kind"),
    [
        (True, "bool", "boolean"),
        (7, "int8", "integer"),
        (Decimal("1.5"), "numeric", "decimal"),
        (1.5, "float8", "decimal"),
        ("x", "text", "text"),
        (date(2026, 10, 1), "date", "date"),
        (datetime(2026, 10, 1, tzinfo=UTC), "timestamptz", "timestamp"),
        (None, "int4", "integer"),
        (None, "DECIMAL(18,3)", "decimal"),
        (None, "timestamptz", "timestamp"),
        (None, "varchar", "text"),
    ],
)
def test_the_type_is_the_cells_and_the_engines_where_there_is_none(cell: Cell, engine_type: str, kind: str) -> None:
    assert column("x", engine_type, None, cell).type == kind


@pytest.mark.parametrize(
    ("days", "grain"),
    [
        ((date(2026, 1, 1), date(2026, 2, 1)), "month"),
        ((date(2026, 1, 1), date(2026, 4, 1)), "quarter"),
        ((date(2025, 1, 1), date(2026, 1, 1)), "year"),
        ((date(2026, 10, 5), date(2026, 10, 12)), "week"),
        ((date(2026, 10, 5), date(2026, 10, 6)), "day"),
        ((date(2026, 10, 1),), "day"),
    ],
)
def test_the_grain_is_the_coarsest_that_fits_every_date(days: tuple[date, ...], grain: str) -> None:
    found = column("d", "date", *days)
    assert (found.role, found.grain) == ("time", grain)


def test_a_name_of_the_catalog_lends_its_label_and_never_its_format() -> None:
    found = column("approval_rate", "numeric", Decimal("86.9"))
    assert found.label == "Approval rate"
    assert (found.role, found.format, found.unit) == ("other", None, None)


def test_what_the_statement_computes_lends_format_and_unit() -> None:
    described = (("channel", "text"), ("paid", "numeric"))
    rows: tuple[tuple[Cell, ...], ...] = (("pos", Decimal("12.5")),)
    soles = Quantity(format="amount", unit="PEN")
    channel, paid = engine_columns(seen(described, *rows), payments(), "en", (soles, soles))
    assert (channel.format, paid.format, paid.unit) == (None, "amount", "PEN")
    [_, unknown] = engine_columns(seen(described, *rows), payments(), "en", (soles,))
    assert unknown.format is None


def test_other_names_are_spoken() -> None:
    assert column("median_amount", "numeric", Decimal(1)).label == "Median amount"


def test_text_names_the_rows_and_numbers_are_what_is_told() -> None:
    described = (("day", "date"), ("channel", "text"), ("amount", "numeric"))
    columns = engine_columns(seen(described, (date(2026, 10, 1), "pos", Decimal(1))), payments(), "en")
    layout = read_layout(columns)
    assert layout.keys == (0, 1)
    assert [metric.column.name for metric in layout.metrics] == ["amount"]
