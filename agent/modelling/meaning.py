"""The shape in which a model says what a message means. Names in it are claims until they are found in the catalog."""

from typing import Literal

from pydantic import Field

from agent.modelling.asking import Output
from agent.values.spec import ChartKind
from semantic_catalog.model import Locale, TimeGrain

MeaningKind = Literal["query", "free_sql", "unclear", "none"]


class FilterOutput(Output):
    """Rows kept, or left out, by members of a dimension."""

    dimension: str
    members: list[str]
    exclude: bool


class ThresholdOutput(Output):
    """A condition on a metric; a percentage is a fraction."""

    metric: str
    operator: Literal[">", ">=", "<", "<=", "="]
    value: float = Field(allow_inf_nan=False)


class MeaningOutput(Output):
    """One message. `period` and `comparison_period` are English words that our own time grammar reads."""

    kind: MeaningKind
    language: Locale
    domain: str | None
    title: str
    follow_up: bool
    metrics: list[str]
    dimensions: list[str]
    grain: TimeGrain | None
    filters: list[FilterOutput]
    period: str | None
    comparison: Literal["none", "previous_period", "previous_year", "named"]
    comparison_period: str | None
    thresholds: list[ThresholdOutput]
    order_by: str | None
    descending: bool
    limit: int | None
    calculation: Literal["none", "share", "growth", "delta", "rank", "running_total", "moving_average", "count_members"]
    calculation_over: str | None
    calculation_window: int | None
    chart: ChartKind | None
    unused_words: list[str]
    confidence: float = Field(ge=0, le=1)
