"""Schedules in words: when they run, and under what condition."""

from dataclasses import replace

from agent.values.schedule import Recurrence
from agent.values.spec import QuerySpec, Threshold
from agent.wording.dates import zone_name
from agent.wording.spec_words import thresholds_said
from agent.wording.texts import say
from semantic_catalog.model import Domain, Locale

_LAST_DAY = 31


def recurrence_said(recurrence: Recurrence, locale: Locale) -> str:
    """'every Monday at 9:00, Lima time'."""
    time = f"{recurrence.at.hour}:{recurrence.at.minute:02}"
    every = say(locale, f"schedule.{_key(recurrence)}", time=time, day=recurrence.month_day)
    return say(locale, "schedule.when", every=every, zone=zone_name(recurrence.timezone, locale))


def condition_said(condition: Threshold | None, spec: QuerySpec, domain: Domain, locale: Locale) -> str:
    """'Approval rate < 85 %'; empty without one."""
    if condition is None:
        return ""
    return ", ".join(thresholds_said(replace(spec, having=(condition,)), domain, locale))


def _key(recurrence: Recurrence) -> str:
    match recurrence.every:
        case "week":
            return f"every_week_{recurrence.weekday}"
        case "month":
            return "every_month_last" if recurrence.month_day == _LAST_DAY else "every_month"
        case other:
            return f"every_{other}"
