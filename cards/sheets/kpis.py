"""The sheet of the few numbers worth saying."""

from dataclasses import replace

from openpyxl.worksheet.worksheet import Worksheet

from agent.values.outcome import Answer
from agent.values.result import Kpi, ResultColumn
from agent.wording.texts import say
from cards.sheets.cells import Typed, put, put_header, set_width, typed_number
from semantic_catalog.model import Locale

WIDTHS = (18, 30, 20, 36, 14)


def write_kpis(sheet: Worksheet, answer: Answer) -> None:
    """What each figure is, of which measure, its value, where it stands, and its relative change."""
    names = ("figure", "measure", "value", "where", "change")
    put_header(sheet, tuple(say(answer.locale, f"workbook.{name}") for name in names))
    columns = {column.name: column for column in answer.result.columns}
    for row, kpi in enumerate(answer.kpis, start=2):
        for place, typed in enumerate(_cells(kpi, columns.get(kpi.column), answer.locale), start=1):
            put(sheet, row, place, typed)
    for place, width in enumerate(WIDTHS, start=1):
        set_width(sheet, place, width)


def _cells(kpi: Kpi, column: ResultColumn | None, locale: Locale) -> tuple[Typed, ...]:
    return (
        Typed(value=say(locale, f"kpi.{kpi.kind}")),
        Typed(value=column.label if column else kpi.column),
        _value(kpi, column, locale),
        Typed(value=kpi.at),
        Typed(value=None if kpi.change is None else float(kpi.change), format="0.0%"),
    )


def _value(kpi: Kpi, column: ResultColumn | None, locale: Locale) -> Typed:
    if kpi.kind == "count" or column is None:
        return Typed(value=int(kpi.value) if kpi.value % 1 == 0 else float(kpi.value), format="#,##0.##")
    is_points = kpi.kind == "change" and column.format == "percent"
    return typed_number(kpi.value, replace(column, points=True) if is_points else column, locale)
