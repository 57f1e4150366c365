"""What is said of a budget that has no room: what was used of how much, and when the next day begins."""

from decimal import Decimal

from agent.values.budget import Overrun
from agent.values.meters import Meter
from agent.values.spec import Assumption
from agent.wording.dates import instant
from agent.wording.numbers import amount, count
from agent.wording.texts import say
from semantic_catalog.model import Locale


def budget_warning(overrun: Overrun, locale: Locale) -> str:
    """What stands on the card of a query that does not fit what is left."""
    return say(locale, f"budget.warn_{overrun.limit_name}", **_said(overrun, locale))


def budget_refusal(overrun: Overrun, locale: Locale) -> str:
    """Why nothing was run."""
    return say(locale, f"refusal.{overrun.rule}", **_said(overrun, locale))


def model_left_out(overrun: Overrun, locale: Locale) -> Assumption:
    """That no model was asked, and why."""
    return Assumption(key=f"model_{overrun.rule}", params=tuple(_said(overrun, locale).items()))


def said_amount(meter: Meter, value: Decimal, currency: str, locale: Locale) -> str:
    """An amount as people read it: money in its currency, everything else as a whole number."""
    return amount(value, currency or None, locale) if meter == "money" else count(value, locale)


def _said(overrun: Overrun, locale: Locale) -> dict[str, str]:
    over, day = overrun.exceeded, overrun.day
    return {
        "used": said_amount(over.meter, over.used, overrun.currency, locale),
        "limit": said_amount(over.meter, over.limit, overrun.currency, locale),
        "resets": instant(day.resets_at, day.timezone, locale),
    }
