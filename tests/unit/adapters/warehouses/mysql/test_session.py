from datetime import UTC, datetime

import pytest

from adapters.warehouses.mysql.session import session_zone, settings

NOW = datetime(2026, 11, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("timezone", "zone"),
    [
        ("UTC", "+00:00"),
        ("America/Lima", "-05:00"),
        ("Asia/Kolkata", "+05:30"),
        ("America/New_York", "America/New_York"),
        ("Europe/Moscow", "Europe/Moscow"),
    ],
)
def test_a_zone_is_its_offset_only_where_it_has_kept_it(timezone: str, zone: str) -> None:
    assert session_zone(timezone, NOW) == zone


def test_each_engine_is_told_the_timeout_in_its_own_unit() -> None:
    text = settings("UTC", 1.5, NOW)
    assert "/*!50708 , max_execution_time = 1500 */" in text
    assert "/*M! , max_statement_time = 1.5 */" in text
    assert "lock_wait_timeout = 2," in text


def test_a_timeout_is_never_switched_off_by_rounding() -> None:
    assert "max_execution_time = 1 */" in settings("UTC", 0.0001, NOW)
