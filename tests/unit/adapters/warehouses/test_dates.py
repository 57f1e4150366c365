from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from adapters.warehouses.dates import as_day


@pytest.mark.parametrize(
    ("value", "day"),
    [
        (None, None),
        (date(2026, 10, 31), date(2026, 10, 31)),
        (datetime(2026, 10, 31, 23, 30, tzinfo=timezone(timedelta(hours=-5))), date(2026, 10, 31)),
        (datetime(2026, 11, 1, 4, 30, tzinfo=UTC), date(2026, 11, 1)),
        ("2026-10", date(2026, 10, 1)),
        ("2026-10 ", date(2026, 10, 1)),
        ("2026-10-31", date(2026, 10, 31)),
    ],
)
def test_reads_the_day(value: object, day: date | None) -> None:
    assert as_day(value) == day


@pytest.mark.parametrize("value", ["October", "", 202610])
def test_refuses_what_is_no_day(value: object) -> None:
    with pytest.raises(ValueError, match="isoformat"):
        as_day(value)
