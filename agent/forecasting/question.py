"""The question for the past that a forecast is made from."""

from dataclasses import replace
from datetime import date

from agent.analysis.additive import is_additive
from agent.forecasting.history import all_history
from agent.forecasting.models import SEASONS
from agent.values.memory import RememberedRun
from agent.values.spec import QuerySpec
from semantic_catalog.model import Domain, TimeGrain


def is_history(run: RememberedRun, domain: Domain) -> bool:
    """Whether the rows of a finished run are the whole course of one number by day, week or month.

    Members may be split where their sum is that number.
    """
    spec, result = run.spec, run.result
    if spec is None or result is None or result.truncated or not spec.metrics:
        return False
    is_changed = spec.limit or spec.having or spec.calculation or spec.comparison
    summed = not spec.dimensions or is_additive(domain.metric(spec.metrics[0]), domain)
    return spec.grain in SEASONS and not is_changed and summed


def history_question(spec: QuerySpec, today: date, timezone: str, longest: bool = False) -> QuerySpec:
    """The course of the spec's first metric, unsplit, over the spec's period; `longest` asks for all there is."""
    grain: TimeGrain = spec.grain if spec.grain in SEASONS else "month"
    whole = all_history(grain, today, timezone)
    period = spec.period if spec.period and spec.grain in SEASONS and not longest else whole
    return replace(
        spec,
        metrics=spec.metrics[:1],
        dimensions=(),
        grain=grain,
        period=period,
        comparison=None,
        having=(),
        order=(),
        limit=None,
        calculation=None,
        chart=None,
        entity=None,
        trusted_query=None,
    )


def may_reach_further(spec: QuerySpec, today: date, timezone: str) -> bool:
    """Whether more of the past may be had than the spec's period holds."""
    start, longest = spec.period.start if spec.period else None, all_history(spec.grain or "month", today, timezone)
    return start is not None and (longest.start is None or longest.start < start)
