"""The next time of a recurrence. Wall clocks are right over changes of daylight saving time."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import count
from zoneinfo import ZoneInfo

from agent.understanding.calendar import shift, unit_end
from agent.values.schedule import Recurrence

_ONE_MINUTE = timedelta(minutes=1)
_SATURDAY = 5


def next_time(recurrence: Recurrence, after: datetime) -> datetime:
    """The first time later than the aware instant `after`, in UTC.

    A time that the clocks skip is the first minute that exists after it; one that they show twice is the first.
    """
    zone = ZoneInfo(recurrence.timezone)
    for day in _days(recurrence, after.astimezone(zone).date()):
        instant = _instant(datetime.combine(day, recurrence.at), zone)
        if instant > after:
            return instant
    raise AssertionError("a recurrence has no end")


def _days(recurrence: Recurrence, first: date) -> Iterator[date]:
    """The days of the recurrence from shortly before `first` on."""
    if recurrence.every == "month":
        start = first.replace(day=1)
        for months in count():
            begun = shift(start, "month", months)
            yield begun.replace(day=min(recurrence.month_day, unit_end(begun, "month").day))
    for days in count(-1):
        day = first + timedelta(days=days)
        if _holds(recurrence, day):
            yield day


def _holds(recurrence: Recurrence, day: date) -> bool:
    match recurrence.every:
        case "weekdays":
            return day.weekday() < _SATURDAY
        case "week":
            return day.weekday() == recurrence.weekday
        case _:
            return True


def _instant(wall: datetime, zone: ZoneInfo) -> datetime:
    """When the clocks of the zone show `wall` first, or its first later minute that they show at all."""
    while True:
        instant = wall.replace(tzinfo=zone, fold=0).astimezone(UTC)
        if instant.astimezone(zone).replace(tzinfo=None) == wall:
            return instant
        wall += _ONE_MINUTE
