"""A source whose policy asks for it is read over written days, from a first day on, and not over too many."""

from collections.abc import Iterator
from datetime import date

from agent.sql.conditions import conditions_on, is_column_of
from agent.sql.facts import Reference
from agent.sql.rules.ask import Ask, refuse
from agent.sql.windows import Days, TimeReader
from agent.values.governance import Finding, RuleId
from semantic_catalog.model import TimeColumn


def check(ask: Ask) -> Iterator[Finding]:
    """Refuses a read without a first day, or over more days than the source's policy allows."""
    for reference in ask.facts.references:
        source = reference.source
        if source.time is None or not (source.time_policy.required or source.time_policy.max_days):
            continue
        days = _days(reference, source.time, ask)
        if days.first is None:
            yield refuse(RuleId.TIME_FILTER, security=False, source=source.name, column=source.time.column)
        elif _is_too_wide(days, source.time_policy.max_days, ask.today):
            most = str(source.time_policy.max_days)
            yield refuse(RuleId.TIME_WINDOW, security=False, source=source.name, column=source.time.column, days=most)


def _days(reference: Reference, time: TimeColumn, ask: Ask) -> Days:
    reader = TimeReader(
        is_time=lambda node: is_column_of(node, reference, time.column, ask.facts),
        today=ask.today,
        is_month_text=time.kind == "month_text",
    )
    days = Days()
    for condition in conditions_on(reference, ask.facts):
        days = days.both(reader.days(condition))
    return days


def _is_too_wide(days: Days, most: int | None, today: date) -> bool:
    if most is None or days.first is None:
        return False
    return ((days.last or max(today, days.first)) - days.first).days + 1 > most
