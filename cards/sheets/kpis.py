"""The sheet of the few numbers worth saying."""

from dataclasses import replace

from agent.values.outcome import Answer
from agent.values.result import Kpi, ResultColumn
from agent.wording.texts import say
from cards.sheets.cells import typed_number
from cards.sheets.pages import Page, Typed, TypedRow, counted
from semantic_catalog.model import Locale

WIDTHS = (18, 30, 20, 36, 14)


def kpi_page(name: str, answer: Answer) -> Page:
    """What each figure is, of which measure, its value, where it stands, and its relative change."""
    header = tuple(say(answer.locale, f"workbook.{each}") for each in ("figure", "measure", "value", "where", "change"))
    columns = {column.name: column for column in answer.result.columns}
    rows = (_cells(kpi, columns.get(kpi.column), answer.locale) for kpi in answer.kpis)
    return counted(name, rows, WIDTHS, header)


def _cells(kpi: Kpi, column: ResultColumn | None, locale: Locale) -> TypedRow:
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
