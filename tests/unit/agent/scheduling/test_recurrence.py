from datetime import UTC, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.scheduling.recurrence import next_time
from agent.values.schedule import Frequency, Recurrence

MADRID, LIMA, NEW_YORK = "Europe/Madrid", "America/Lima", "America/New_York"


def times(recurrence: Recurrence, start: str, number: int) -> list[str]:
    """The next times as the zone's clocks show them."""
    zone, at, shown = ZoneInfo(recurrence.timezone), datetime.fromisoformat(start), []
    for _ in range(number):
        at = next_time(recurrence, at)
        assert at.tzinfo is UTC
        shown.append(at.astimezone(zone).isoformat())
    return shown


@pytest.mark.parametrize(
    ("zone", "start", "expected"),
    [
        # Clocks go forward on 29 March 2026 and back on 25 October 2026.
        (MADRID, "2026-03-28T07:00+00:00", ["2026-03-28T09:00:00+01:00", "2026-03-29T09:00:00+02:00"]),
        (MADRID, "2026-10-24T06:00+00:00", ["2026-10-24T09:00:00+02:00", "2026-10-25T09:00:00+01:00"]),
        # Forward on 8 March 2026, back on 1 November 2026.
        (NEW_YORK, "2026-03-07T12:00+00:00", ["2026-03-07T09:00:00-05:00", "2026-03-08T09:00:00-04:00"]),
        (NEW_YORK, "2026-10-31T12:00+00:00", ["2026-10-31T09:00:00-04:00", "2026-11-01T09:00:00-05:00"]),
        (LIMA, "2026-03-28T12:00+00:00", ["2026-03-28T09:00:00-05:00", "2026-03-29T09:00:00-05:00"]),
    ],
)
def test_nine_stays_nine_when_the_clocks_change(zone: str, start: str, expected: list[str]) -> None:
    assert times(Recurrence(every="day", at=time(9), timezone=zone), start, 2) == expected


@pytest.mark.parametrize(
    ("zone", "at", "start", "expected"),
    [
        (MADRID, time(2, 30), "2026-03-28T12:00+00:00", "2026-03-29T03:00:00+02:00"),
        (MADRID, time(2), "2026-03-28T12:00+00:00", "2026-03-29T03:00:00+02:00"),
        (NEW_YORK, time(2, 59), "2026-03-07T12:00+00:00", "2026-03-08T03:00:00-04:00"),
    ],
)
def test_a_time_that_the_clocks_skip_is_the_first_that_exists_after_it(
    zone: str, at: time, start: str, expected: str
) -> None:
    [shown] = times(Recurrence(every="day", at=at, timezone=zone), start, 1)
    assert shown == expected


@pytest.mark.parametrize(
    ("zone", "at", "start", "expected"),
    [
        (MADRID, time(2, 30), "2026-10-24T12:00+00:00", ["2026-10-25T02:30:00+02:00", "2026-10-26T02:30:00+01:00"]),
        (NEW_YORK, time(1, 30), "2026-10-31T12:00+00:00", ["2026-11-01T01:30:00-04:00", "2026-11-02T01:30:00-05:00"]),
    ],
)
def test_a_time_that_the_clocks_show_twice_is_due_once(zone: str, at: time, start: str, expected: list[str]) -> None:
    assert times(Recurrence(every="day", at=at, timezone=zone), start, 2) == expected


def test_weekdays_leave_the_weekend_out() -> None:
    shown = times(Recurrence(every="weekdays", at=time(8, 30), timezone=LIMA), "2026-11-05T20:00+00:00", 3)
    assert [each[:10] for each in shown] == ["2026-11-06", "2026-11-09", "2026-11-10"]


def test_a_week_has_its_day() -> None:
    shown = times(Recurrence(every="week", at=time(9), timezone=LIMA, weekday=0), "2026-11-01T00:00+00:00", 3)
    assert [each[:10] for each in shown] == ["2026-11-02", "2026-11-09", "2026-11-16"]


def test_a_month_without_the_day_has_its_last_one() -> None:
    shown = times(Recurrence(every="month", at=time(9), timezone=LIMA, month_day=31), "2026-12-31T20:00+00:00", 4)
    assert [each[:10] for each in shown] == ["2027-01-31", "2027-02-28", "2027-03-31", "2027-04-30"]


@given(
    every=st.sampled_from(["day", "weekdays", "week", "month"]),
    at=st.times().map(lambda value: value.replace(second=0, microsecond=0)),
    zone=st.sampled_from([MADRID, LIMA, NEW_YORK, "Australia/Lord_Howe", "Asia/Kathmandu"]),
    start=st.integers(1_767_225_600, 1_830_297_600).map(lambda seconds: datetime.fromtimestamp(seconds, UTC)),
    number=st.integers(0, 6),
)
def test_times_come_one_after_the_other_and_never_far_apart(
    every: Frequency, at: time, zone: str, start: datetime, number: int
) -> None:
    recurrence = Recurrence(every=every, at=at, timezone=zone, weekday=number, month_day=number * 5 + 1)
    found = [start]
    for _ in range(4):
        found.append(next_time(recurrence, found[-1]))
    assert all(timedelta(0) < later - earlier <= timedelta(days=31, hours=2) for earlier, later in pairwise(found))
