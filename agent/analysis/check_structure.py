"""Whether a result has the columns and the grain that its spec asks for. Anything here makes the result unusable."""

from collections.abc import Iterator

from agent.analysis.layout import Layout
from agent.analysis.reading import Reading
from agent.values.result import Doubt
from agent.values.spec import QuerySpec


def check_structure(reading: Reading, row_count: int) -> tuple[Doubt, ...]:
    """Doubts about the shape: ragged rows, missing or surplus columns, another grain, more rows than possible."""
    width = len(reading.table.columns)
    if _is_ragged(reading, width):
        return (Doubt(key="ragged_rows"),)
    if reading.spec is None:
        return ()
    doubts = (
        *_missing_metrics(reading.layout, reading.spec),
        *_dimensions(reading.layout, reading.spec),
        *_grain(reading, reading.spec),
        *_size(reading, reading.spec, row_count),
    )
    return tuple(doubts)


def _is_ragged(reading: Reading, width: int) -> bool:
    if reading.profile is not None:
        return reading.profile.is_ragged
    return any(len(row) != width for row in reading.table.rows)


def _missing_metrics(layout: Layout, spec: QuerySpec) -> Iterator[Doubt]:
    if not layout.metrics:
        yield Doubt(key="no_metric")
    if spec.calculation is not None:
        return
    present = {metric.column.reference for metric in layout.metrics}
    for metric in spec.metrics:
        if metric not in present:
            yield Doubt(key="column_missing", params=(("column", metric),))


def _dimensions(layout: Layout, spec: QuerySpec) -> Iterator[Doubt]:
    present = {dimension.column.reference: dimension.column for dimension in layout.dimensions}
    counted = spec.calculation is not None and spec.calculation.kind == "count_members"
    for dimension in spec.dimensions:
        if dimension not in present and not counted:
            yield Doubt(key="column_missing", params=(("column", dimension),))
    for reference, column in present.items():
        if reference not in spec.dimensions:
            yield Doubt(key="column_unexpected", params=(("column", column.label),))


def _grain(reading: Reading, spec: QuerySpec) -> Iterator[Doubt]:
    if reading.grain != spec.grain:
        yield Doubt(key="wrong_grain")


def _size(reading: Reading, spec: QuerySpec, row_count: int) -> Iterator[Doubt]:
    layout = reading.layout
    most = 1 if not layout.keys else spec.limit
    if layout.time is not None and layout.dimensions:
        # A limited ranking over time keeps so many members, each with all of its buckets.
        row_count = _groups(reading)
    if most is not None and row_count > most:
        yield Doubt(key="too_many_rows", params=(("rows", str(row_count)), ("most", str(most))))


def _groups(reading: Reading) -> int:
    """How many different members there are, all dimensions together."""
    if reading.profile is not None:
        return reading.profile.groups
    return len({tuple(row[d.value] for d in reading.layout.dimensions) for row in reading.table.rows})
