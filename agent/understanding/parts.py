"""What a message says of a question, before anything is assumed, asked or checked against the sources."""

from dataclasses import dataclass
from typing import Literal

from agent.values.spec import Calculation, ChartKind, Comparison, MemberFilter, Option, OrderBy, Period, Threshold
from semantic_catalog.model import DimensionName, MetricName, TimeGrain

Direction = Literal["high", "low", "best", "worst", "top", "bottom"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rank:
    """'The five worst', 'which one had the highest': `metric` is what it is said of, if anything.

    `limit` is the number named, or 1 for a single one; `several` that a plural without a number was asked for.
    """

    direction: Direction
    metric: MetricName | None = None
    limit: int | None = None
    several: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Words that may mean several things of the catalog, and which."""

    words: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberChoice:
    """Words that may be members of several dimensions: (dimension, value) pairs."""

    words: str
    members: tuple[tuple[DimensionName, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Everything said. `unused` words were not understood; those that are `blocking` might change the answer.

    `near` are known members that look like them. `part_of_whole` marks a share of one metric within another ('what
    share of transactions was declined'). `average` is an 'average' that belongs to no metric's name,
    `money` a word that asks for money. `wants_previous`, `wants_week` and `wants_year` ask for the period before, the
    same days a week and a year before without naming days;
    `previous_unit` is the unit that 'previous' was said of. `moved` is which way what is ranked has gone ('fell most').
    """

    metrics: tuple[MetricName, ...] = ()
    metric_choice: Choice | None = None
    dimensions: tuple[DimensionName, ...] = ()
    dimension_choice: Choice | None = None
    filters: tuple[MemberFilter, ...] = ()
    member_choice: MemberChoice | None = None
    period: Period | None = None
    comparison: Comparison | None = None
    wants_previous: bool = False
    previous_unit: TimeGrain | None = None
    wants_week: bool = False
    wants_year: bool = False
    grain: TimeGrain | None = None
    trend: bool = False
    when: bool = False
    having: tuple[Threshold, ...] = ()
    rank: Rank | None = None
    order: tuple[OrderBy, ...] = ()
    limit: int | None = None
    share: bool = False
    part_of_whole: bool = False
    share_of_member: DimensionName | None = None
    growth: bool = False
    moved: Literal["rise", "fall"] | None = None
    counted: DimensionName | None = None
    calculation: Calculation | None = None
    chart: ChartKind | None = None
    average: str = ""
    money: bool = False
    near: tuple[Option, ...] = ()
    unused: tuple[str, ...] = ()
    blocking: tuple[str, ...] = ()
