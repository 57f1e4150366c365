"""The few numbers worth saying about a result. Nothing is computed that the data cannot give.

A ratio is never summed or averaged; where its numerator and denominator are in the result, the overall ratio is theirs.
"""

from decimal import Decimal
from typing import Literal

from agent.analysis.additive import is_additive_column
from agent.analysis.cells import as_number
from agent.analysis.layout import MetricColumn
from agent.analysis.numbers_of import Numbers, Point
from agent.analysis.reading import Reading, read_result
from agent.values.result import Kpi, ResultColumn, ResultTable
from agent.values.spec import QuerySpec
from agent.wording.dates import period_label
from semantic_catalog.model import Domain, Locale, Metric

MAX_METRICS = 3


def compute_kpis(
    table: ResultTable, spec: QuerySpec | None, domain: Domain, locale: Locale = "en", truncated: bool = False
) -> tuple[Kpi, ...]:
    """The KPIs of the first metrics, then how many rows there are. `at` names a row, in `locale`.

    Totals, averages and overall ratios are left out when rows are missing: a limit, a threshold or a cut result.
    """
    reading = read_result(table, spec, domain, locale, truncated)
    found = [kpi for metric in reading.layout.metrics[:MAX_METRICS] for kpi in _metric_kpis(reading, metric)]
    return (*found, *_count(reading))


def _metric_kpis(reading: Reading, metric: MetricColumn) -> tuple[Kpi, ...]:
    found = reading.numbers(metric.value)
    if found.first is None:
        return ()
    if not reading.layout.keys:
        single = _kpi("overall", metric.column, found.first.value)
        return (single, *_compared(reading, metric, found.first.value, _cell(found.first, metric.previous)))
    return (*_sums(reading, metric, found), *_extremes(reading, metric, found), *_change(reading, metric))


def _sums(reading: Reading, metric: MetricColumn, found: Numbers) -> tuple[Kpi, ...]:
    if not reading.whole:
        return ()
    if not is_additive_column(metric.column, reading.domain, reading.spec):
        return _overall_ratio(reading, metric.column)
    total = found.total
    parts = _parts(reading, metric, found)
    average = () if parts < 2 else (_kpi("average", metric.column, total / parts),)
    return (_kpi("total", metric.column, total), *average)


def _parts(reading: Reading, metric: MetricColumn, found: Numbers) -> int:
    """How many buckets or rows the average is taken over; 0 when one of the buckets is cut."""
    if reading.layout.time is None:
        return found.count
    series = reading.moments(metric)
    return 0 if any(reading.is_cut(moment.start) for moment in series) else len(series)


def _overall_ratio(reading: Reading, column: ResultColumn) -> tuple[Kpi, ...]:
    metric = _ratio(reading.domain, column)
    if metric is None:
        return ()
    top, bottom = _total_of(reading, metric.numerator), _total_of(reading, metric.denominator)
    return () if top is None or not bottom else (_kpi("overall", column, top / bottom),)


def _ratio(domain: Domain, column: ResultColumn) -> Metric | None:
    metric = next((m for m in domain.metrics if m.name == column.reference == column.name), None)
    return metric if metric is not None and metric.kind == "ratio" else None


def _total_of(reading: Reading, name: str | None) -> Decimal | None:
    metric = next((m for m in reading.layout.metrics if m.column.name == name), None)
    if metric is None or not is_additive_column(metric.column, reading.domain, reading.spec):
        return None
    return reading.numbers(metric.value).total


def _extremes(reading: Reading, metric: MetricColumn, found: Numbers) -> tuple[Kpi, ...]:
    if found.count < 2:
        return ()
    low, high = found.lowest[0], found.highest[0]
    return (
        _kpi("maximum", metric.column, high.value, at=reading.name(high.row)),
        _kpi("minimum", metric.column, low.value, at=reading.name(low.row)),
    )


def _change(reading: Reading, metric: MetricColumn) -> tuple[Kpi, ...]:
    # Growth has earlier values too, but of the bucket before: only a comparison has a whole earlier period.
    if metric.previous is None or reading.spec is None or reading.spec.comparison is None:
        return _change_over_time(reading, metric)
    if not reading.whole or not is_additive_column(metric.column, reading.domain, reading.spec):
        return ()
    now, before = reading.numbers(metric.value).total, reading.numbers(metric.previous)
    return _compared(reading, metric, now, before.total if before.count else None)


def _change_over_time(reading: Reading, metric: MetricColumn) -> tuple[Kpi, ...]:
    series = reading.whole_moments(metric)
    # A running total always ends higher than it began.
    if len(series) < 2 or metric.column.name.endswith("_running_total"):
        return ()
    first, last = series[0], series[-1]
    at = f"{reading.bucket(first.start)} → {reading.bucket(last.start)}"
    return (_difference(metric.column, first.value, last.value, at),)


def _compared(reading: Reading, metric: MetricColumn, now: Decimal, before: Decimal | None) -> tuple[Kpi, ...]:
    if before is None:
        return ()
    comparison = reading.spec.comparison if reading.spec else None
    at = period_label(comparison.period, reading.locale) if comparison else ""
    return (_difference(metric.column, before, now, at),)


def _difference(column: ResultColumn, before: Decimal, now: Decimal, at: str) -> Kpi:
    # From a negative or zero start a percentage of change says nothing true.
    relative = (now - before) / before if before > 0 and column.format != "percent" else None
    return Kpi(kind="change", column=column.name, value=now - before, at=at, change=relative)


def _count(reading: Reading) -> tuple[Kpi, ...]:
    keys = reading.layout.keys
    if not keys:
        return ()
    return (Kpi(kind="count", column=reading.table.columns[keys[0]].name, value=Decimal(len(reading.table.rows))),)


def _cell(point: Point, position: int | None) -> Decimal | None:
    return None if position is None else as_number(point.row[position])


def _kpi(
    kind: Literal["total", "average", "minimum", "maximum", "overall"],
    column: ResultColumn,
    value: Decimal,
    at: str = "",
) -> Kpi:
    return Kpi(kind=kind, column=column.name, value=value, at=at)
