"""The catalog's vocabulary as frozen values: what a domain offers and how it may be read.

The words are those of dbt's and MetricFlow's semantic models: entity, dimension, measure, metric, grain, member.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Literal, NewType, TypeVar

from semantic_catalog.errors import DomainGone

DomainName = NewType("DomainName", str)
EntityName = NewType("EntityName", str)
DimensionName = NewType("DimensionName", str)
MetricName = NewType("MetricName", str)
MeasureName = NewType("MeasureName", str)
CatalogVersion = NewType("CatalogVersion", str)

Locale = Literal["en", "es", "ru"]
LOCALES: tuple[Locale, ...] = ("en", "es", "ru")
Dialect = Literal["postgres", "mysql", "duckdb"]
TimeGrain = Literal["day", "week", "month", "quarter", "year"]
Aggregation = Literal["sum", "avg", "min", "max", "count", "count_distinct"]
MetricFormat = Literal["amount", "count", "percent", "decimal"]
Direction = Literal["up", "down", "neutral"]
PlanView = Literal["budget", "variance", "variance_pct", "attainment"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """How people call a thing, per locale. The label is what cards show; synonyms are only understood.

    `by` is a dimension after a metric ('by channel', 'по каналам'), where the label would have to inflect.
    """

    label: Mapping[Locale, str]
    synonyms: Mapping[Locale, tuple[str, ...]] = field(default_factory=dict)
    description: Mapping[Locale, str] = field(default_factory=dict)
    by: Mapping[Locale, str] = field(default_factory=dict)

    def in_locale(self, locale: Locale) -> str:
        """The label in `locale`, else in English."""
        return self.label.get(locale) or self.label["en"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One value a dimension can have, as stored, with its names. `restriction` as of a measure: it hides its rows."""

    value: str
    names: Names
    restriction: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dimension:
    """Something a metric is split or filtered by, defined once per domain.

    `members_from` says whether `members` is the whole list (`catalog`) or the warehouse is asked (`warehouse`).
    `cardinality` is a rough count of members, used for chart choice and clarification.
    """

    name: DimensionName
    names: Names
    type: Literal["categorical", "boolean"] = "categorical"
    members: tuple[Member, ...] = ()
    members_from: Literal["catalog", "warehouse"] = "catalog"
    cardinality: int = 10
    sensitive: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One physical column of an entity's source. `type` is the SQL type, lower case."""

    name: str
    type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeColumn:
    """The column that dates an entity's rows.

    `kind`: `date` a day; `month` a date holding the first day of a month; `month_text` a char(7) such as `2026-10`;
    `timestamp` an instant, to be read in the domain's zone. `grain` is the finest grain it can answer.
    """

    column: str
    kind: Literal["date", "month", "month_text", "timestamp"]
    grain: TimeGrain


@dataclass(frozen=True, slots=True, kw_only=True)
class TimePolicy:
    """Whether a query on an entity must bound its time column, and the widest window in days."""

    required: bool = False
    max_days: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityDimension:
    """Where an entity keeps a dimension: `column` holds the member value, `label_column` its description."""

    dimension: DimensionName
    column: str
    label_column: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """An aggregation over an entity's rows. `expression` and `filter` are SQL over its (or joined) columns.

    `restriction` names what a policy may put on a principal to keep the measure from them. A measure without a filter
    is theirs again where the question leaves out every member under that restriction.
    """

    name: MeasureName
    expression: str
    aggregation: Aggregation
    filter: str | None = None
    restriction: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RequiredFilter:
    """A business rule: every read of the entity filters `column = value`, unless the spec names another value.

    With `when_columns`, only a read of one of those columns has to, and saying it inside an aggregate is enough.
    """

    column: str
    value: str | int
    when_columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RequiredJoin:
    """A business rule: reading `columns` of the entity's measures must join `entity` on `column`."""

    entity: EntityName
    column: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A governed source: a table or view, its grain, its columns and what can be asked of it.

    `cost_rank` orders entities that answer the same question: the lowest is read.
    """

    name: EntityName
    source: str
    names: Names
    grain: tuple[str, ...]
    columns: tuple[Column, ...]
    time: TimeColumn | None = None
    time_policy: TimePolicy = TimePolicy()
    dimensions: tuple[EntityDimension, ...] = ()
    measures: tuple[Measure, ...] = ()
    required_filters: tuple[RequiredFilter, ...] = ()
    required_joins: tuple[RequiredJoin, ...] = ()
    cost_rank: int = 100
    sensitive: bool = False

    def dimension(self, name: DimensionName) -> EntityDimension | None:
        """The entity's own mapping of a dimension."""
        return next((d for d in self.dimensions if d.dimension == name), None)

    def measure(self, name: MeasureName) -> Measure | None:
        """The entity's measure of that name."""
        return next((m for m in self.measures if m.name == name), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Relationship:
    """A join between two entities, `left` many (or one) to `right` one unless said otherwise."""

    left: EntityName
    right: EntityName
    on: tuple[tuple[str, str], ...]
    cardinality: Literal["many_to_one", "one_to_one", "many_to_many"] = "many_to_one"


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """A governed number.

    `simple` reads `measure`; `ratio` divides the metric `numerator` by the metric `denominator`, each summed first;
    `derived` is an arithmetic `expression` over other metric names; `cumulative` runs `measure` up over time.
    A ratio is stored as a fraction and shown by `format`. `dimensions` and `grains`, when given, are all that it may be
    split or filtered by. A number with `needs_one_of` adds up unlike things (income and cost) unless it is split or
    filtered by one of those dimensions; a question that does neither means it split by the first of them. A `sensitive`
    metric shows what not everybody in the domain should see; `instead` are the metrics offered, nearest first, to those
    from whom a restriction of its measures keeps it.

    A metric with `view` looks at the metric `view_of` through the plan: its `budget`, its `variance` (actual − budget),
    its `variance_pct` (variance ÷ budget) or its `attainment` (actual ÷ budget). So 'budget' next to a metric means the
    metric with that view of it, and the
    metric 'against budget' means it and all of its views.
    """

    name: MetricName
    names: Names
    kind: Literal["simple", "ratio", "derived", "cumulative"]
    format: MetricFormat
    measure: MeasureName | None = None
    numerator: MetricName | None = None
    denominator: MetricName | None = None
    expression: str | None = None
    unit: str | None = None
    direction: Direction = "up"
    dimensions: tuple[DimensionName, ...] | None = None
    grains: tuple[TimeGrain, ...] | None = None
    needs_one_of: tuple[DimensionName, ...] = ()
    sensitive: bool = False
    instead: tuple[MetricName, ...] = ()
    view: PlanView | None = None
    view_of: MetricName | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecTemplate:
    """A question's meaning as the catalog writes it down, with its period in the English words of the time grammar."""

    metrics: tuple[MetricName, ...]
    dimensions: tuple[DimensionName, ...] = ()
    grain: TimeGrain | None = None
    filters: tuple[tuple[DimensionName, tuple[str, ...]], ...] = ()
    period: str | None = None
    comparison: Literal["previous_period", "previous_year"] | None = None
    descending: bool | None = None
    limit: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A question as people ask it, with what it means: few-shot material, suggestions and a test of understanding."""

    question: str
    locale: Locale
    spec: SpecTemplate


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustedQuery:
    """A question the data owner has signed in advance; policy may let it run without a person.

    `checked_on` is the day the owner last checked its answer.
    """

    name: str
    owner: Mapping[Locale, str]
    questions: Mapping[Locale, tuple[str, ...]]
    spec: SpecTemplate
    checked_on: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AmbiguousWord:
    """Words that name several things on purpose: several `metrics` or several `dimensions`, offered in that order.

    The asker chooses, unless only one of them fits the rest of the question.
    """

    words: Mapping[Locale, tuple[str, ...]]
    metrics: tuple[MetricName, ...] = ()
    dimensions: tuple[DimensionName, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewNames:
    """What a view of any metric is called: `{metric}` stands for the metric's label, and in synonyms for each name."""

    view: PlanView
    names: Names


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Two entities of the same measures, what happened and what was planned.

    Each metric that comes from `actual` alone gets the `views` as metrics of their own, `revenue_budget` and so on,
    unless the domain defines that view of it by hand.
    """

    actual: EntityName
    budget: EntityName
    views: tuple[ViewNames, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """What an entity's rows must satisfy; the result verifier says so when they do not."""

    entity: EntityName
    expect_every: TimeGrain | None = None
    not_null: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """One governed subject: its sources, its numbers and its words. Times are in `timezone`; weeks start on Monday.

    `counted_by` is the metric that tells which members there were in a period, where a question only counts them.
    """

    name: DomainName
    names: Names
    warehouse: str
    dialect: Dialect
    timezone: str
    owner: str
    locale: Locale
    entities: tuple[Entity, ...]
    dimensions: tuple[Dimension, ...]
    metrics: tuple[Metric, ...]
    relationships: tuple[Relationship, ...] = ()
    quality: tuple[Quality, ...] = ()
    examples: tuple[Example, ...] = ()
    trusted_queries: tuple[TrustedQuery, ...] = ()
    ambiguous: tuple[AmbiguousWord, ...] = ()
    plan: Plan | None = None
    hidden_schemas: tuple[str, ...] = ()
    default_history_months: int = 12
    period_always_asked: bool = False
    counted_by: MetricName | None = None

    def entity(self, name: EntityName) -> Entity:
        """The entity of that name; `KeyError` when the domain has none."""
        return _named(self.entities, name)

    def dimension(self, name: DimensionName) -> Dimension:
        """The dimension of that name; `KeyError` when the domain has none."""
        return _named(self.dimensions, name)

    def metric(self, name: MetricName) -> Metric:
        """The metric of that name; `KeyError` when the domain has none."""
        return _named(self.metrics, name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """All domains. `version` is a hash of the files it was read from: approvals are bound to it."""

    version: CatalogVersion
    domains: tuple[Domain, ...]

    def domain(self, name: DomainName) -> Domain:
        """The domain of that name. Raises `DomainGone`, which is a `KeyError`, when there is none."""
        try:
            return _named(self.domains, name)
        except KeyError:
            raise DomainGone from None


_T = TypeVar("_T", Entity, Dimension, Metric, Domain)


def _named(items: tuple[_T, ...], name: str) -> _T:
    for item in items:
        if item.name == name:
            return item
    raise KeyError(name)
