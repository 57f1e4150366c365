"""What moved a metric, as far as the rows at hand tell: between two periods or two buckets, by the members in them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import pairwise

from agent.analysis.additive import is_additive_column
from agent.analysis.cells import as_number
from agent.analysis.layout import MetricColumn
from agent.analysis.reading import Moment, Reading
from agent.values.result import ResultColumn, Row
from agent.wording.dates import period_label


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A value before and after; None where the rows have none, which counts as nothing where values are summed."""

    name: str
    before: Decimal | None
    after: Decimal | None

    @property
    def difference(self) -> Decimal:
        """After less before."""
        return (self.after or Decimal(0)) - (self.before or Decimal(0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """The largest move between two buckets that follow each other."""

    first: Moment
    last: Moment


@dataclass(frozen=True, slots=True, kw_only=True)
class Decomposition:
    """The move of a metric from one time to another, both in words, and the moves of its members, the largest first.

    `whole` is None where members cannot be summed. `since` is the newer bucket's first day where time is in the rows.
    """

    metric: ResultColumn
    before: str
    after: str
    whole: Move | None
    parts: tuple[Move, ...] = ()
    steepest: Step | None = None
    since: date | None = None


def decompose(reading: Reading) -> Decomposition | None:
    """The move of the leading metric; None where the rows hold one time only."""
    metric = next(iter(reading.layout.metrics), None)
    if metric is None:
        return None
    compared = reading.spec is not None and reading.spec.comparison is not None and metric.previous is not None
    return _between_periods(reading, metric) if compared else _between_buckets(reading, metric)


def named(found: Decomposition, text: str) -> Decomposition:
    """The members that the text names, where it names any; the whole is then left out."""
    lowered = text.casefold()
    parts = tuple(part for part in found.parts if part.name.casefold() in lowered)
    if not parts:
        return found
    return Decomposition(
        metric=found.metric, before=found.before, after=found.after, whole=None, parts=parts, since=found.since
    )


def _between_periods(reading: Reading, metric: MetricColumn) -> Decomposition | None:
    assert reading.spec is not None
    assert reading.spec.comparison is not None
    assert metric.previous is not None
    moves = [_move(reading, row, metric.value, metric.previous) for row in reading.table.rows]
    period = reading.spec.period
    return Decomposition(
        metric=metric.column,
        before=period_label(reading.spec.comparison.period, reading.locale),
        after=period_label(period, reading.locale) if period else "",
        whole=_whole(reading, metric.column, moves) if reading.layout.keys else moves[0] if moves else None,
        parts=_ranked(moves) if reading.layout.keys else (),
    )


def _between_buckets(reading: Reading, metric: MetricColumn) -> Decomposition | None:
    starts = reading.whole_starts()
    if len(starts) < 2:
        return None
    before, after = starts[-2:]
    rows = {start: _by_member(reading, metric, start) for start in (before, after)}
    names = tuple(dict.fromkeys((*rows[after], *rows[before])))
    moves = [Move(name=name, before=rows[before].get(name), after=rows[after].get(name)) for name in names]
    split = bool(reading.layout.dimensions)
    return Decomposition(
        metric=metric.column,
        before=reading.bucket(before),
        after=reading.bucket(after),
        whole=_whole(reading, metric.column, moves) if split else next(iter(moves), None),
        parts=_ranked(moves) if split else (),
        steepest=_steepest(reading.whole_moments(metric)),
        since=after,
    )


def _by_member(reading: Reading, metric: MetricColumn, start: date) -> dict[str, Decimal]:
    return {reading.members(point.row): point.value for point in reading.points_at(metric.value, start)}


def _move(reading: Reading, row: Row, after: int, before: int) -> Move:
    return Move(name=reading.name(row), before=as_number(row[before]), after=as_number(row[after]))


def _whole(reading: Reading, column: ResultColumn, moves: Sequence[Move]) -> Move | None:
    if not reading.whole or not is_additive_column(column, reading.domain, reading.spec):
        return None
    before = sum((move.before or Decimal(0) for move in moves), Decimal(0))
    return Move(name="", before=before, after=sum((move.after or Decimal(0) for move in moves), Decimal(0)))


def _ranked(moves: Sequence[Move]) -> tuple[Move, ...]:
    """Members with a value at both times or, where one is missing, still a move."""
    known = [move for move in moves if move.before is not None or move.after is not None]
    return tuple(sorted(known, key=lambda move: abs(move.difference), reverse=True))


def _steepest(series: Sequence[Moment]) -> Step | None:
    if len(series) < 3:
        return None
    pairs = [Step(first=first, last=last) for first, last in pairwise(series)]
    return max(pairs, key=lambda step: abs(step.last.value - step.first.value))
