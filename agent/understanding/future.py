"""Questions about the future: how far ahead they look is no part of the past they are answered from."""

from dataclasses import replace

from agent.forecasting.history import all_history, grain_for
from agent.forecasting.horizon import horizon_in, without_horizon
from agent.understanding.hearing import Hearing, hear
from agent.understanding.options import named_span
from agent.understanding.parts import Parts
from agent.understanding.periods import to_period
from semantic_catalog.model import Locale

# What stands where the horizon was: enough to be heard as a wish for a forecast.
_WISH: dict[Locale, str] = {"en": "forecast", "es": "pronóstico", "ru": "прогноз"}


def heard_as_forecast(heard: Hearing) -> Hearing:
    """The message as it is heard without its horizon ('for the next 6 months'), where it wishes for a forecast."""
    if not heard.reading.has("forecast"):
        return heard
    text = without_horizon(heard.question.text, _WISH[heard.locale])
    if text == heard.question.text:
        return heard
    plain = hear(replace(heard.question, text=text), heard.principal, heard.book)
    return replace(plain, horizon=horizon_in(heard.question.text))


def with_history(parts: Parts, heard: Hearing) -> Parts:
    """The question for the past that its forecast is made from: two years by month, or days or weeks where wished for.

    A period that is named is kept, as is a split: members are forecast in total.
    """
    unit = heard.horizon.unit if heard.horizon else None
    grain = parts.grain or grain_for(unit)
    if grain in ("day", "week"):
        period = all_history(grain, heard.question.today, heard.domain.timezone)
    else:
        period = to_period(named_span("last_24_months", heard.question.today), heard.domain.timezone)
    return replace(parts, grain=grain, period=parts.period or period)
