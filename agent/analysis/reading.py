"""A result together with what it answers and who reads it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from agent.analysis.additive import is_additive_column
from agent.analysis.buckets import bucket_end, bucket_start
from agent.analysis.cells import as_day, as_number
from agent.analysis.layout import DimensionColumn, Layout, MetricColumn, read_layout
from agent.analysis.members import SEPARATOR, member_name, row_name
from agent.analysis.numbers_of import Numbers, Point, numbers_of
from agent.analysis.profile import Profile, profile_of
from agent.values.result import ResultColumn, ResultTable, Row
from agent.values.spec import QuerySpec
from agent.wording.dates import bucket
from agent.wording.numbers import write_cell
from semantic_catalog.model import Domain, Locale, TimeGrain


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A value of one time bucket, known by its first day."""

    value: Decimal
    start: date


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A result read in the light of its spec (None: free SQL), in one language.

    `whole` is false when rows are known to be missing (a cut result), so that nothing is summed. `profile` stands for
    the rows of a long result.
    """

    table: ResultTable
    layout: Layout
    spec: QuerySpec | None
    domain: Domain
    locale: Locale
    whole: bool
    profile: Profile | None = None

    @property
    def grain(self) -> TimeGrain | None:
        """The grain of the time column."""
        return self.layout.time_column.grain if self.layout.time_column else None

    def points(self, position: int) -> tuple[Point, ...]:
        """The rows that have a number in that column, in row order. Not for a long result: they are too many."""
        numbers = ((as_number(row[position]), row) for row in self.table.rows)
        return tuple(Point(value=value, row=row) for value, row in numbers if value is not None)

    def numbers(self, position: int) -> Numbers:
        """The numbers of that column, of a metric or a companion of one."""
        if self.profile is not None:
            return self.profile.numbers[position]
        return numbers_of([as_number(row[position]) for row in self.table.rows], self.table.rows)

    def repeated(self) -> int:
        """How many rows have keys that another row has had before."""
        if self.profile is not None:
            return self.profile.repeated
        keys = self.layout.keys
        return len(self.table.rows) - len({tuple(row[key] for key in keys) for row in self.table.rows})

    def nulls(self, position: int) -> int:
        """How many rows have nothing in that column."""
        if self.profile is not None:
            return self.profile.nulls[position]
        return sum(row[position] is None for row in self.table.rows)

    def members_of(self, dimension: DimensionColumn) -> int:
        """How many members the dimension has in the rows; of a long result with more than `MOST_MEMBERS`, more."""
        if self.profile is not None:
            return self.profile.members[dimension.value]
        return len({str(row[dimension.value]) for row in self.table.rows})

    def days(self) -> frozenset[date]:
        """The days in the time column; none without one."""
        if self.profile is not None:
            return self.profile.days
        return frozenset(day for row in self.table.rows if (day := self.start(row)) is not None)

    def moments(self, metric: MetricColumn) -> tuple[Moment, ...]:
        """The metric along time, oldest first; empty when the result cannot give one number per bucket.

        Rows of several members are summed where the metric allows it and no row is missing.
        """
        summed = self.whole and is_additive_column(metric.column, self.domain, self.spec)
        if self.layout.time is None or (self.layout.dimensions and not summed):
            return ()
        if self.profile is not None:
            return _in_order(self.profile.moments[metric.value])
        return _by_bucket(self.points(metric.value), self.layout.time)

    def whole_moments(self, metric: MetricColumn) -> tuple[Moment, ...]:
        """The buckets that lie wholly inside the period: a half month is not compared with a whole one."""
        return tuple(moment for moment in self.moments(metric) if not self.is_cut(moment.start))

    def start(self, row: Row) -> date | None:
        """The first day of the row's bucket; None without a time column or a date in it."""
        return None if self.layout.time is None else as_day(row[self.layout.time])

    def whole_starts(self) -> tuple[date, ...]:
        """The first days of all buckets that lie wholly inside the period, oldest first."""
        return tuple(start for start in sorted(self.days()) if not self.is_cut(start))

    def points_at(self, position: int, start: date) -> tuple[Point, ...]:
        """The rows of one bucket that have a number in that column."""
        return tuple(point for point in self.points(position) if self.start(point.row) == start)

    def is_cut(self, start: date) -> bool:
        """Whether the period takes only a part of the bucket that holds `start`."""
        period = self.spec.period if self.spec else None
        if period is None or self.grain is None:
            return False
        first = bucket_start(start, self.grain)
        begins_late = period.start is not None and period.start > first
        return begins_late or period.end < bucket_end(first, self.grain)

    def name(self, row: Row) -> str:
        """What the row is about."""
        return row_name(row, self.layout, self.domain, self.locale)

    def members(self, row: Row) -> str:
        """The members of the row, without its bucket."""
        return SEPARATOR.join(member_name(row, d, self.domain, self.locale) for d in self.layout.dimensions)

    def bucket(self, start: date) -> str:
        """A bucket in words."""
        return bucket(start, self.grain or "day", self.locale)

    def write(self, value: Decimal, column: ResultColumn) -> str:
        """A number as prose has it: large amounts are scaled, counts are exact."""
        return write_cell(value, column, self.locale, compact=column.format == "amount")


def read_result(
    table: ResultTable, spec: QuerySpec | None, domain: Domain, locale: Locale, truncated: bool = False
) -> Reading:
    """The reading of a result. Rows are missing when it was cut, limited or filtered by a threshold.

    Blocks for seconds on a long result that was not read before: do it off the event loop.
    """
    layout = read_layout(table.columns)
    return Reading(
        table=table,
        layout=layout,
        profile=None if table.long is None else profile_of(table.long, layout, len(table.columns)),
        spec=spec,
        domain=domain,
        locale=locale,
        whole=spec is not None and not truncated and not spec.having and not _is_limited(table, spec),
    )


def _is_limited(table: ResultTable, spec: QuerySpec) -> bool:
    return spec.keeps_few and len(table.rows) >= (spec.limit or 0)


def _by_bucket(points: tuple[Point, ...], time: int) -> tuple[Moment, ...]:
    sums: dict[date, Decimal] = {}
    for point in points:
        start = as_day(point.row[time])
        if start is not None:
            sums[start] = sums.get(start, Decimal(0)) + point.value
    return _in_order(sums)


def _in_order(sums: Mapping[date, Decimal]) -> tuple[Moment, ...]:
    return tuple(Moment(value=sums[start], start=start) for start in sorted(sums))
