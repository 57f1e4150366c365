"""A forecast as rows below those of its history, and as a chart with its intervals."""

from dataclasses import replace
from datetime import date

from agent.analysis.layout import MetricColumn
from agent.analysis.reading import Moment, Reading
from agent.values.forecast import Forecast, Step
from agent.values.result import Cell, ChartSpec, ResultColumn, ResultTable
from agent.wording.texts import say

LEVELS = ("95", "80")


def forecast_table(reading: Reading, metric: MetricColumn, moments: tuple[Moment, ...], found: Forecast) -> ResultTable:
    """One row a bucket: the history's value, then, in the rows ahead, the forecast and its bounds instead."""
    time = reading.layout.time_column
    assert time is not None
    more = _columns(reading, metric.column)
    written = _as_written(reading)
    known = [moment for moment in moments if found.first <= moment.start <= found.last]
    past = [(written(moment.start), moment.value, *[None] * len(more)) for moment in known]
    ahead = [(written(step.start), None, *_cells(step)) for step in found.steps]
    return ResultTable(columns=(time, metric.column, *more), rows=(*past, *ahead))


def forecast_chart(table: ResultTable, title: str, subtitle: str, source: str) -> ChartSpec:
    """A line, its forecast, and a band for each interval, over the rows of `forecast_table`."""
    time, metric, ahead, *_ = (column.name for column in table.columns)
    intervals = tuple((f"{metric}_low_{level}", f"{metric}_high_{level}", level) for level in LEVELS)
    return ChartSpec(
        kind="line",
        category=time,
        values=(metric, ahead),
        title=title,
        subtitle=subtitle,
        source=source,
        intervals=intervals,
    )


def _columns(reading: Reading, metric: ResultColumn) -> tuple[ResultColumn, ...]:
    def label(key: str, **params: str) -> str:
        return say(reading.locale, f"forecast.{key}", **params)

    plain = replace(metric, role="other", type="decimal" if metric.format != "count" else "integer")
    bounds = [(side, level) for level in reversed(LEVELS) for side in ("low", "high")]
    return (
        replace(plain, name=f"{metric.name}_forecast", label=label("column")),
        *(
            replace(plain, name=f"{metric.name}_{side}_{level}", label=label(f"column_{side}", level=level))
            for side, level in bounds
        ),
    )


def _cells(step: Step) -> tuple[Cell, ...]:
    return (step.value, step.low_80, step.high_80, step.low_95, step.high_95)


class _Written:
    """Buckets as the history's own rows write them: a date, or a month as text ('2026-10')."""

    def __init__(self, as_months: bool) -> None:
        self._as_months = as_months

    def __call__(self, start: date) -> Cell:
        return f"{start:%Y-%m}" if self._as_months else start


def _as_written(reading: Reading) -> _Written:
    place = reading.layout.time
    assert place is not None
    return _Written(any(isinstance(row[place], str) for row in reading.table.rows))
