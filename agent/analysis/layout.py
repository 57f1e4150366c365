"""Which column of a result is the time, a dimension, a metric or a companion of a metric."""

from dataclasses import dataclass

from agent.values.result import ResultColumn

_COMPANIONS = ("_previous", "_change", "_change_pct", "_share", "_rank")
# What a calculation adds beside its metric is the number the answer is about.
_ASKED_FOR = ("_running_total", "_moving_average")
_NUMERIC = ("integer", "decimal")


@dataclass(frozen=True, slots=True, kw_only=True)
class DimensionColumn:
    """A dimension's value column and, where there is one, its description column (positions in a row)."""

    value: int
    label: int | None
    column: ResultColumn

    @property
    def shown(self) -> int:
        """The position whose cells people read."""
        return self.value if self.label is None else self.label


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricColumn:
    """A metric's value column and its companions (positions in a row)."""

    value: int
    column: ResultColumn
    previous: int | None = None
    change: int | None = None
    change_pct: int | None = None
    share: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The shape of a result: at most one time column, its dimensions, and its metrics with the leading one first."""

    time: int | None
    time_column: ResultColumn | None
    dimensions: tuple[DimensionColumn, ...]
    metrics: tuple[MetricColumn, ...]

    @property
    def keys(self) -> tuple[int, ...]:
        """The positions that together name a row."""
        time = () if self.time is None else (self.time,)
        return time + tuple(dimension.value for dimension in self.dimensions)


def read_layout(columns: tuple[ResultColumn, ...]) -> Layout:
    """The shape of `columns`. Without any metric, numeric columns of the role `other` count as metrics."""
    time = next((i for i, column in enumerate(columns) if column.role == "time"), None)
    return Layout(
        time=time,
        time_column=None if time is None else columns[time],
        dimensions=_dimensions(columns),
        metrics=_metrics(columns, "metric") or _metrics(columns, "other"),
    )


def _dimensions(columns: tuple[ResultColumn, ...]) -> tuple[DimensionColumn, ...]:
    labels = {column.reference: i for i, column in enumerate(columns) if column.role == "label"}
    return tuple(
        DimensionColumn(value=i, label=labels.get(column.reference), column=column)
        for i, column in enumerate(columns)
        if column.role == "dimension"
    )


def _metrics(columns: tuple[ResultColumn, ...], role: str) -> tuple[MetricColumn, ...]:
    places = {column.name: i for i, column in enumerate(columns)}
    found = [
        MetricColumn(
            value=i,
            column=column,
            previous=places.get(f"{column.name}_previous"),
            change=places.get(f"{column.name}_change"),
            change_pct=places.get(f"{column.name}_change_pct"),
            share=places.get(f"{column.name}_share"),
        )
        for i, column in enumerate(columns)
        if column.role == role and column.type in _NUMERIC and not _is_companion(column.name, places)
    ]
    return tuple(sorted(found, key=lambda metric: not metric.column.name.endswith(_ASKED_FOR)))


def _is_companion(name: str, places: dict[str, int]) -> bool:
    return any(name.endswith(suffix) and name.removesuffix(suffix) in places for suffix in _COMPANIONS)
