from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.analysis.buckets import bucket_end, bucket_start, buckets_between, next_start
from semantic_catalog.model import TimeGrain

GRAINS: tuple[TimeGrain, ...] = ("day", "week", "month", "quarter", "year")


@pytest.mark.parametrize(
    ("grain", "start", "end"),
    [
        ("day", date(2026, 10, 31), date(2026, 10, 31)),
        ("week", date(2026, 10, 26), date(2026, 11, 1)),
        ("month", date(2026, 10, 1), date(2026, 10, 31)),
        ("quarter", date(2026, 10, 1), date(2026, 12, 31)),
        ("year", date(2026, 1, 1), date(2026, 12, 31)),
    ],
)
def test_bucket_of_a_day(grain: TimeGrain, start: date, end: date) -> None:
    assert (bucket_start(date(2026, 10, 31), grain), bucket_end(start, grain)) == (start, end)


@given(day=st.dates(date(2000, 1, 1), date(2100, 1, 1)), grain=st.sampled_from(GRAINS))
def test_every_day_lies_in_its_bucket_and_buckets_join(day: date, grain: TimeGrain) -> None:
    start = bucket_start(day, grain)
    assert start <= day <= bucket_end(start, grain)
    assert bucket_start(next_start(start, grain), grain) == next_start(start, grain)
    assert next_start(start, grain) == bucket_end(start, grain) + timedelta(days=1)


def test_buckets_between_hold_both_ends() -> None:
    months = buckets_between(date(2025, 12, 15), date(2026, 2, 1), "month")
    assert months == (date(2025, 12, 1), date(2026, 1, 1), date(2026, 2, 1))
    assert buckets_between(date(2026, 2, 2), date(2026, 2, 1), "day") == ()
