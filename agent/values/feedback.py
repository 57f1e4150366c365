"""What a person wants changed about a question, as a typed plan."""

from dataclasses import dataclass
from typing import Literal

from agent.values.spec import MemberFilter, OrderBy, Period
from semantic_catalog.model import DimensionName, EntityName, MetricName, TimeGrain

OperationName = Literal[
    "set_limit",
    "add_filter",
    "remove_filter",
    "replace_filter",
    "change_time_window",
    "add_dimension",
    "remove_dimension",
    "change_grouping",
    "change_order",
    "add_metric",
    "remove_metric",
    "replace_metric",
    "replace_source",
    "semantic_regeneration",
    "undo",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One change. Which fields are set follows from `name`.

    `filter` is the wanted one (of `remove_filter` the one that goes); `dimensions`, `metrics` and `order` are those
    that come, `without_dimensions` and `without_metrics` those that go; `grain` None takes the buckets of time away,
    `limit` None the limit; `source` is the entity to read.
    """

    name: OperationName
    limit: int | None = None
    filter: MemberFilter | None = None
    period: Period | None = None
    dimensions: tuple[DimensionName, ...] = ()
    without_dimensions: tuple[DimensionName, ...] = ()
    grain: TimeGrain | None = None
    order: tuple[OrderBy, ...] = ()
    metrics: tuple[MetricName, ...] = ()
    without_metrics: tuple[MetricName, ...] = ()
    source: EntityName | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuickEdit:
    """A change chosen in a form instead of written: what is None stays as it is, `limit` 0 takes the limit away.

    `period` is in the words of the time grammar ('last 7 days'); `dimensions` are all that the answer is split by.
    """

    limit: int | None = None
    period: str | None = None
    dimensions: tuple[str, ...] | None = None
    grain: Literal["day", "week", "month", "quarter", "year", "none"] | None = None
