"""A forecast in words: what, how sure, how well it did before, and what it is made from."""

from collections.abc import Iterator
from decimal import Decimal

from agent.analysis.additive import is_additive_column
from agent.analysis.headline import closed_once
from agent.analysis.reading import Reading
from agent.values.forecast import Forecast, ModelName, Unforecastable
from agent.values.result import Narrative, ResultColumn
from agent.wording.dates import bucket
from agent.wording.numbers import percent
from agent.wording.texts import say
from semantic_catalog.model import Locale, TimeGrain


def tell_forecast(found: Forecast, metric: ResultColumn, reading: Reading) -> Narrative:
    """The last step ahead with its intervals, the sum where it means something, the error on the past, the history."""
    locale, end = reading.locale, found.steps[-1]
    bounds = {name: reading.write(getattr(end, name), metric) for name in ("low_80", "high_80", "low_95", "high_95")}
    lead = say(
        locale,
        "forecast.lead",
        metric=metric.label,
        bucket=bucket(end.start, found.grain, locale),
        value=reading.write(end.value, metric),
    )
    rest = (say(locale, "forecast.intervals", **bounds), *_total(found, metric, reading))
    return Narrative(
        lead=lead,
        rest=closed_once(" ".join(rest)),
        highlights=tuple(closed_once(line) for line in (*_error(found, locale), *_made_from(found, locale))),
    )


def tell_why_not(reason: Unforecastable, grain: TimeGrain, locale: Locale) -> str:
    """Why there is no forecast, and what can be asked instead."""
    params = dict(reason.params)
    if reason.reason == "too_short":
        return say(locale, f"forecast.too_short_{grain}", count=params["count"], least=params["least"])
    if "error" in params:
        params["error"] = percent(Decimal(params["error"]), locale)
    return say(locale, f"forecast.{reason.reason}", **params)


def _total(found: Forecast, metric: ResultColumn, reading: Reading) -> Iterator[str]:
    if len(found.steps) > 1 and is_additive_column(metric, reading.domain, reading.spec):
        total = sum((step.value for step in found.steps), Decimal(0))
        written = reading.write(total, metric)
        yield say(reading.locale, f"forecast.total_{found.grain}", count=len(found.steps), total=written)


def _error(found: Forecast, locale: Locale) -> Iterator[str]:
    tested = found.backtest
    words = {"error": _percent(tested.error, locale), "naive": _model(tested.naive, found.grain, locale)}
    if found.model == tested.naive:
        yield say(locale, "forecast.error_plain", count=tested.origins, **words)
    else:
        naive_error = _percent(tested.naive_error, locale)
        yield say(locale, "forecast.error", count=tested.origins, naive_error=naive_error, **words)


def _made_from(found: Forecast, locale: Locale) -> Iterator[str]:
    yield say(
        locale,
        f"forecast.made_from_{found.grain}",
        count=found.observed,
        first=bucket(found.first, found.grain, locale),
        last=bucket(found.last, found.grain, locale),
        model=_model(found.model, found.grain, locale),
    )
    if found.filled:
        yield say(locale, "forecast.filled", count=found.filled)


def _model(name: ModelName, grain: TimeGrain, locale: Locale) -> str:
    return say(locale, f"forecast.model_{name}_{grain}" if name == "seasonal_naive" else f"forecast.model_{name}")


def _percent(fraction: float, locale: Locale) -> str:
    return percent(Decimal(str(fraction)), locale)
