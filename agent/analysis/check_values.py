"""Whether the numbers of a result can be true as they stand."""

from collections.abc import Iterator
from decimal import Decimal

from agent.analysis.cells import as_number
from agent.analysis.layout import MetricColumn
from agent.analysis.metric_parts import direct_parts
from agent.analysis.numbers_of import Point
from agent.analysis.reading import Reading
from agent.values.result import Doubt, Row
from agent.wording.numbers import percent
from semantic_catalog.model import Metric

# Shares are stored rounded, so a hundred of them may miss one by a little.
SHARE_TOLERANCE = Decimal("0.005")


def check_values(reading: Reading) -> tuple[Doubt, ...]:
    """Doubts about cells: repeated keys, NULLs, impossible rates and counts, shares that do not add up."""
    doubts = [*_repeated_keys(reading), *_null_members(reading)]
    for metric in reading.layout.metrics:
        doubts += [*_emptiness(reading, metric), *_impossible(reading, metric), *_shares(reading, metric)]
    return tuple(doubts)


def _repeated_keys(reading: Reading) -> Iterator[Doubt]:
    repeated = reading.repeated() if reading.layout.keys else 0
    if repeated:
        yield Doubt(key="duplicate_rows", params=(("rows", str(repeated)),))


def _null_members(reading: Reading) -> Iterator[Doubt]:
    for dimension in reading.layout.dimensions:
        empty = reading.nulls(dimension.value)
        if empty:
            yield Doubt(key="null_members", params=(("dimension", dimension.column.label), ("rows", str(empty))))
    place, column = reading.layout.time, reading.layout.time_column
    undated = 0 if place is None else reading.nulls(place)
    if undated and column is not None:
        yield Doubt(key="null_members", params=(("dimension", column.label), ("rows", str(undated))))


def _emptiness(reading: Reading, metric: MetricColumn) -> Iterator[Doubt]:
    rows, label = len(reading.table.rows), metric.column.label
    numbers = reading.numbers(metric.value)
    if not rows:
        return
    if not numbers.count:
        yield Doubt(key="all_null", params=(("metric", label),))
        return
    if not numbers.is_any_nonzero:
        yield Doubt(key="all_zero", params=(("metric", label),))
    empty = _surprises(reading, metric)
    if empty:
        params = (("metric", label), ("rows", str(empty)), ("total", str(rows)))
        yield Doubt(key="null_values", params=params)


def _surprises(reading: Reading, metric: MetricColumn) -> int:
    if reading.profile is not None:
        return reading.profile.surprises[metric.value]
    return sum(_is_surprise(row, metric) for row in reading.table.rows)


def _is_surprise(row: Row, metric: MetricColumn) -> bool:
    # A member that only the other period knows has no number now, and that is no surprise.
    known_before = metric.previous is not None and as_number(row[metric.previous]) is not None
    return as_number(row[metric.value]) is None and not known_before


def _impossible(reading: Reading, metric: MetricColumn) -> Iterator[Doubt]:
    known = next((m for m in reading.domain.metrics if m.name == metric.column.name), None)
    if known is None:
        return
    key = "negative_count" if known.format == "count" else "rate_out_of_range"
    if known.format != "count" and not _is_part_of_whole(known, reading):
        return
    wrong = _first_wrong(reading, metric, known)
    if wrong is not None:
        place = reading.name(wrong.row) or metric.column.label
        written = reading.write(wrong.value, metric.column)
        yield Doubt(key=key, params=(("metric", metric.column.label), ("name", place), ("value", written)))


def _first_wrong(reading: Reading, metric: MetricColumn, known: Metric) -> Point | None:
    if reading.profile is not None:
        numbers = reading.numbers(metric.value)
        return numbers.negative or (numbers.above_one if known.format == "percent" else None)
    return next((p for p in reading.points(metric.value) if p.value < 0 or _over(p, known)), None)


def _over(point: Point, metric: Metric) -> bool:
    return metric.format == "percent" and point.value > 1


def _is_part_of_whole(metric: Metric, reading: Reading) -> bool:
    """A ratio of two counts is bounded; attainments and margins are not."""
    parts = direct_parts(metric, reading.domain)
    return metric.kind == "ratio" and metric.format == "percent" and all(part.format == "count" for part in parts)


def _shares(reading: Reading, metric: MetricColumn) -> Iterator[Doubt]:
    place = metric.value if metric.column.name.endswith("_share") else metric.share
    if place is None:
        return
    for total in _share_totals(reading, place):
        if total > 1 + SHARE_TOLERANCE or (reading.whole and total < 1 - SHARE_TOLERANCE):
            yield Doubt(key="shares_total", params=(("total", percent(total, reading.locale)),))
            return


def _share_totals(reading: Reading, place: int) -> tuple[Decimal, ...]:
    """The sum of shares of each time bucket, or of the whole result."""
    if reading.profile is not None:
        return tuple(reading.profile.shares[place].values())
    totals: dict[object, Decimal] = {}
    for point in reading.points(place):
        bucket = None if reading.layout.time is None else point.row[reading.layout.time]
        totals[bucket] = totals.get(bucket, Decimal(0)) + point.value
    return tuple(totals.values())
