"""The question, resolved against the catalog: what understanding produces and SQL is compiled from."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from agent.values.usage import NO_USAGE, Usage
from semantic_catalog.model import DimensionName, DomainName, EntityName, Locale, MetricName, TimeGrain

Relation = Literal[
    "independent_request", "analytical_follow_up", "session_reference", "feedback_on_proposal", "ambiguous"
]
TurnType = Literal["new_query", "refine", "drill_down", "viz_change", "forecast", "file_analysis", "discuss", "general"]
SlotName = Literal["metric", "period", "dimension", "member", "domain", "relation"]
ChartKind = Literal["bar", "horizontal_bar", "stacked", "line", "area", "pie", "treemap", "combo", "table"]
ReportKind = Literal["short", "chart", "chart_table", "analysis", "full"]
CalculationKind = Literal["share", "growth", "delta", "rank", "running_total", "moving_average", "count_members"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """Whole days from `start` to `end`, both included, in `timezone`. `words` keys the label ('last_7_days').

    An open period ('all history') has `start` None: the compiler then bounds it by the data's first day.
    """

    start: date | None
    end: date
    timezone: str
    words: str = "range"


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The other period the same numbers are wanted for."""

    kind: Literal["previous_period", "previous_year", "named"]
    period: Period


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberFilter:
    """Rows kept (`include`) or left out by the members of a dimension; values as stored.

    Without values it is about the rows that have no member: kept, or left out.
    """

    dimension: DimensionName
    values: tuple[str, ...]
    include: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """A condition on an aggregated metric, or on its `change` (absolute or in percent) against the other period.

    A percentage is given as a fraction, as stored. `against` the average the metric is compared with `value` times what
    it is over all the rows together (a rate, an average price), or times the mean of the members where it adds up.
    """

    metric: MetricName
    operator: Literal[">", ">=", "<", "<=", "="]
    value: Decimal
    of: Literal["value", "change", "change_pct"] = "value"
    against: Literal["amount", "average"] = "amount"

    @property
    def column(self) -> str:
        """The result column it is about."""
        return self.metric if self.of == "value" else f"{self.metric}_{self.of}"


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderBy:
    """Sort by a metric, a dimension or `time`. Ties are broken by the remaining columns, so order is total."""

    by: str
    descending: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Calculation:
    """What is computed on top of the metrics. `over` is the dimension counted or shared over; `window` in buckets.

    A `rank` is within each member of `over`, else within each bucket; with a `window`, only so many places are kept.
    """

    kind: CalculationKind
    over: DimensionName | None = None
    window: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuerySpec:
    """A whole question. Two equal specs are the same question.

    `grain` adds a time bucket to the result; `entity` pins the source (else the compiler reads the cheapest that fits);
    `trusted_query` names the signed question it equals.
    """

    domain: DomainName
    metrics: tuple[MetricName, ...]
    dimensions: tuple[DimensionName, ...] = ()
    grain: TimeGrain | None = None
    filters: tuple[MemberFilter, ...] = ()
    period: Period | None = None
    comparison: Comparison | None = None
    having: tuple[Threshold, ...] = ()
    order: tuple[OrderBy, ...] = ()
    limit: int | None = None
    calculation: Calculation | None = None
    chart: ChartKind | None = None
    entity: EntityName | None = None
    trusted_query: str | None = None

    @property
    def keeps_few(self) -> bool:
        """Whether rows are left out by their place: a limit, or so many of each member."""
        placed = self.calculation is not None and self.calculation.kind == "rank"
        return self.limit is not None or (placed and self.calculation is not None and bool(self.calculation.window))


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumption:
    """A small choice made for the asker; `key` is a text key (`assumption.<key>`), `params` fill it."""

    key: str
    params: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One button of a clarification: what it is called, one line of meaning, and the value it sends back."""

    label: str
    value: str
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """Something the question leaves open. `reason` is a text key (`clarify.<slot>.<reason>`) saying why it is asked."""

    name: SlotName
    reason: Literal["missing", "ambiguous", "unknown", "not_offered"]
    options: tuple[Option, ...]
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declined:
    """A question that must not become SQL: `rule` is the reason, `params` fill the text `refusal.<rule>`."""

    rule: str
    params: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeSql:
    """A question that no spec can express, so that a model writes its SQL. `title` restates it in the asker's words."""

    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What is asked of rows already on screen, so that no SQL is needed.

    `extreme`: the row with the most (or least) of `metric`, or of its change; `difference`: the first row less the
    second, or between the members of `filters` or the first and last bucket of `period`; `total`: everything added up;
    `condition`: which rows fulfil `having`; `plan`: which rows lie over and under the plan; `count`: how many rows
    there are; `summary`: what was said of them. `filters` keep members. `metric` None is the leading one.
    """

    kind: Literal["summary", "extreme", "difference", "total", "condition", "plan", "count"]
    metric: MetricName | None = None
    of: Literal["value", "change"] = "value"
    descending: bool = True
    filters: tuple[MemberFilter, ...] = ()
    having: tuple[Threshold, ...] = ()
    period: Period | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Understanding:
    """What a message means, how sure that is, and what of it was not used. `confidence` runs 0–1.

    Exactly one of these holds: `declined` is set; `slots` is not empty (they win over the turn type); `free_sql` is set
    and `spec`, if any, is the nearest question that can be compiled, kept for when the SQL cannot be written; `spec` is
    complete; or the turn type needs no spec. `usage` is what understanding it cost. `topic` says what a turn without a
    spec is about: greeting, thanks, capabilities, definition (of the metric `subject`), sql, first_sql, period,
    source, cost, tokens, filters, signature, nothing_to_undo, unchanged, absent (`unused_words` are the labels of what
    was to be taken out and is not there), shown (`shown` says what of it), why.
    `remembered` are the ids of the asker's memories that it rests on. With `beside`, a question about a file of the
    thread, `spec` is a governed question whose answer is to be compared with it. `report` says how much of the answer
    is wanted, where the message says so: a number, the chart, chart and table, an analysis, or a whole report.
    """

    relation: Relation
    turn_type: TurnType
    language: Locale
    confidence: float
    domain: DomainName | None = None
    spec: QuerySpec | None = None
    slots: tuple[Slot, ...] = ()
    declined: Declined | None = None
    assumptions: tuple[Assumption, ...] = ()
    unused_words: tuple[str, ...] = ()
    source: Literal["rules", "llm", "trusted"] = "rules"
    topic: str = ""
    subject: MetricName | None = None
    free_sql: FreeSql | None = None
    usage: Usage = NO_USAGE
    shown: Shown | None = None
    remembered: tuple[str, ...] = ()
    beside: QuerySpec | None = None
    report: ReportKind | None = None
