"""Which chart says a result best, if any does."""

from dataclasses import dataclass, replace

from agent.analysis.additive import is_additive_column
from agent.analysis.layout import DimensionColumn, MetricColumn
from agent.analysis.profile import MOST_MEMBERS
from agent.analysis.reading import Reading, read_result
from agent.values.result import ChartSpec, ResultTable
from agent.values.spec import ChartKind, QuerySpec
from agent.wording.dates import period_label
from semantic_catalog.model import Domain, Locale

MAX_SLICES = 6
MAX_LINES_OF_METRICS = 3
MAX_UPRIGHT_BARS = 8
MAX_UPRIGHT_LABEL = 14
MAX_BUCKETS_AS_BARS = 40
MAX_GROUPED_SERIES = 4
MAX_GROUPED_CATEGORIES = 15
MAX_STACKED_SERIES = 12
MAX_STACKED_CATEGORIES = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class _Axes:
    """What goes where, before the kind is known."""

    category: str
    values: tuple[str, ...]
    series: str | None = None
    additive: bool = False


def choose_chart(
    table: ResultTable,
    spec: QuerySpec | None,
    domain: Domain,
    locale: Locale,
    title: str,
    source_line: str,
    truncated: bool = False,
) -> ChartSpec | None:
    """The chart, or None where a number or a table says it better. The asker's wish wins where it can be drawn.

    Two unlike metrics over time are bars and a line. Lines for time; bars for members, lying when there are many or
    their names are long; a pie only for few shares, or when wished for parts of a whole. Of a cut, limited or filtered
    result nothing is summed to 'other'.
    """
    reading = read_result(table, spec, domain, locale, truncated)
    wish = spec.chart if spec else None
    axes = _axes(reading)
    if axes is None or wish == "table":
        return None
    paired = _pair(axes, reading)
    if paired is not None and wish in (None, "combo"):
        axes, wish = paired, "combo"
    return ChartSpec(
        kind=wish if wish is not None and _is_feasible(wish, axes, reading) else _kind(axes, reading),
        category=axes.category,
        values=axes.values,
        series=axes.series,
        title=title,
        subtitle=period_label(spec.period, locale) if spec and spec.period else "",
        source=source_line,
        additive=axes.additive and reading.whole,
    )


def _axes(reading: Reading) -> _Axes | None:
    layout = reading.layout
    metric = next((m for m in layout.metrics if reading.numbers(m.value).count), None)
    if metric is None or len(reading.table.rows) < 2:
        return None
    additive = is_additive_column(metric.column, reading.domain, reading.spec)
    if layout.time_column is not None:
        return _time_axes(reading, metric, additive)
    match layout.dimensions:
        case (only,):
            return _member_axes(reading, only, metric, additive)
        case (first, second):
            return _grouped_axes(reading, first, second, metric, additive)
        case _:
            return None


def _time_axes(reading: Reading, metric: MetricColumn, additive: bool) -> _Axes | None:
    column = reading.layout.time_column
    assert column is not None
    varying = [d for d in reading.layout.dimensions if reading.members_of(d) > 1]
    if len(varying) > 1 or any(reading.members_of(each) > MOST_MEMBERS for each in varying):
        return None
    if varying and _buckets(reading) == 1:
        return _member_axes(reading, varying[0], metric, additive)
    if varying:
        value = (metric.column.name,)
        return _Axes(category=column.name, values=value, series=_shown(varying[0], reading), additive=additive)
    return _Axes(category=column.name, values=_comparable(reading, metric), additive=additive)


def _comparable(reading: Reading, metric: MetricColumn) -> tuple[str, ...]:
    """The metrics that can share the axis of the first: the same format and unit."""
    before = _compared(reading, metric)
    if before:
        return (metric.column.name, *before)
    first = metric.column
    alike = [m.column for m in reading.layout.metrics if (m.column.format, m.column.unit) == (first.format, first.unit)]
    return tuple(column.name for column in alike[:MAX_LINES_OF_METRICS])


def _member_axes(reading: Reading, dimension: DimensionColumn, metric: MetricColumn, additive: bool) -> _Axes:
    values = _member_values(reading, metric)
    summed = additive or values[0].endswith("_share")
    return _Axes(category=_shown(dimension, reading), values=values, additive=summed)


def _member_values(reading: Reading, metric: MetricColumn) -> tuple[str, ...]:
    if metric.share is not None:
        return (reading.table.columns[metric.share].name,)
    return (metric.column.name, *_compared(reading, metric))


def _compared(reading: Reading, metric: MetricColumn) -> tuple[str, ...]:
    """The values of the earlier period of a comparison; the earlier bucket of a growth is on the axis already."""
    if metric.previous is None or reading.spec is None or reading.spec.comparison is None:
        return ()
    return (reading.table.columns[metric.previous].name,)


def _grouped_axes(
    reading: Reading, first: DimensionColumn, second: DimensionColumn, metric: MetricColumn, additive: bool
) -> _Axes | None:
    few, many = sorted((first, second), key=reading.members_of)
    piled = additive and reading.spec is not None and reading.spec.chart == "stacked"
    most_series = MAX_STACKED_SERIES if piled else MAX_GROUPED_SERIES
    most_categories = MAX_STACKED_CATEGORIES if piled else MAX_GROUPED_CATEGORIES
    if reading.members_of(few) > most_series or reading.members_of(many) > most_categories:
        return None
    value = (metric.column.name,)
    return _Axes(category=_shown(many, reading), values=value, series=_shown(few, reading), additive=additive)


def _kind(axes: _Axes, reading: Reading) -> ChartKind:
    if _is_timed(axes, reading) and not _is_ranking(reading):
        return "line"
    if (
        axes.values[0].endswith("_share")
        and len(reading.table.rows) <= MAX_SLICES
        and _is_feasible("pie", axes, reading)
    ):
        return "pie"
    return "bar" if _fits_upright(reading) else "horizontal_bar"


def _is_feasible(wish: ChartKind, axes: _Axes, reading: Reading) -> bool:
    timed = _is_timed(axes, reading)
    match wish:
        case "line":
            return timed
        case "area":
            return timed and (len(axes.values) == 1 if axes.series is None else _is_pile(axes, reading))
        case "pie":
            return not timed and axes.series is None and axes.additive and reading.whole and _is_positive(axes, reading)
        case "treemap":
            return not timed and axes.series is None and axes.additive and _is_positive(axes, reading)
        case "stacked":
            fits = not timed or _buckets(reading) <= MAX_BUCKETS_AS_BARS
            return fits and axes.series is not None and axes.additive
        case "bar" | "horizontal_bar":
            return not timed or (axes.series is None and len(reading.table.rows) <= MAX_BUCKETS_AS_BARS)
        case "combo":
            return len(axes.values) == 2 and axes.values == _unlike(reading)
        case "table":
            return True


def _pair(axes: _Axes, reading: Reading) -> _Axes | None:
    """The two metrics of a result that cannot share an axis, as bars and a line; None when they are not two."""
    pair = _unlike(reading)
    few = len(reading.table.rows) <= MAX_BUCKETS_AS_BARS
    wished = reading.spec is not None and reading.spec.chart == "combo"
    is_course = _is_timed(axes, reading) and not _is_ranking(reading)
    if not pair or axes.series is not None or not few or not (is_course or wished):
        return None
    return replace(axes, values=pair, additive=False)


def _unlike(reading: Reading) -> tuple[str, ...]:
    """The names of exactly two metrics of different formats or units; empty otherwise, or when they are compared."""
    metrics = [metric for metric in reading.layout.metrics if reading.numbers(metric.value).count]
    if len(metrics) != 2 or any(metric.previous is not None or metric.share is not None for metric in metrics):
        return ()
    first, second = (metric.column for metric in metrics)
    alike = (first.format, first.unit) == (second.format, second.unit)
    # Bars from zero suit amounts and counts; a rate is seen close up, as a line.
    amount, rate = (second, first) if first.format == "percent" else (first, second)
    return () if alike else (amount.name, rate.name)


def _is_pile(axes: _Axes, reading: Reading) -> bool:
    return axes.additive and _is_positive(axes, reading)


def _is_timed(axes: _Axes, reading: Reading) -> bool:
    time = reading.layout.time_column
    return time is not None and axes.category == time.name


def _is_ranking(reading: Reading) -> bool:
    """Buckets picked by their value ('the three best days') are not a course of time."""
    spec = reading.spec
    return spec is not None and spec.keeps_few and any(order.by in spec.metrics for order in spec.order)


def _is_positive(axes: _Axes, reading: Reading) -> bool:
    place = next(i for i, column in enumerate(reading.table.columns) if column.name == axes.values[0])
    found = reading.numbers(place)
    return found.negative is None and found.total > 0


def _fits_upright(reading: Reading) -> bool:
    rows = reading.table.rows
    return len(rows) <= MAX_UPRIGHT_BARS and all(len(reading.name(row)) <= MAX_UPRIGHT_LABEL for row in rows)


def _shown(dimension: DimensionColumn, reading: Reading) -> str:
    return reading.table.columns[dimension.shown].name


def _buckets(reading: Reading) -> int:
    """How many buckets of time the rows have; one that is not known counts too."""
    place = reading.layout.time
    if place is None:
        return 0
    if reading.profile is not None:
        return len(reading.profile.days) + bool(reading.profile.nulls[place])
    return len({str(row[place]) for row in reading.table.rows})
