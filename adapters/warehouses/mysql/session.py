"""The settings of every statement, the same on MySQL and MariaDB."""

import math
from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo

# What the guard reads statements as: backslash escapes, double quotes for text, || as OR; and no half-grouped rows.
_SQL_MODE = (
    "ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,"
    "NO_ENGINE_SUBSTITUTION"
)
# Longer lists of GROUP_CONCAT would be cut without an error.
_LIST_BYTES = 16 * 1024 * 1024
_SINCE_YEAR = 2000
_UNTIL_YEARS = 2

READ_ONLY_SESSION = "SET SESSION TRANSACTION READ ONLY"
READ_ONLY_TRANSACTION = "START TRANSACTION READ ONLY"


def settings(timezone: str, seconds: float, now: datetime) -> str:
    """One statement that pins mode, zone and timeouts of the session; a statement may then run for `seconds`.

    MySQL and MariaDB name their timeouts differently; each engine runs only the comment that is written for it.
    """
    milliseconds = max(1, round(seconds * 1000))
    return (
        f"SET SESSION sql_mode = '{_SQL_MODE}', time_zone = '{session_zone(timezone, now)}',"
        f" lock_wait_timeout = {max(1, math.ceil(seconds))}, group_concat_max_len = {_LIST_BYTES}"
        f" /*!50708 , max_execution_time = {milliseconds} */ /*!80300 , explain_json_format_version = 1 */"
        f" /*M! , max_statement_time = {milliseconds / 1000} */"
    )


def session_zone(timezone: str, now: datetime) -> str:
    """The zone's one offset, when it has kept it since 2000, else its name, which needs the engine's zone tables."""
    offset = _only_offset(timezone, now.year + _UNTIL_YEARS)
    if offset is None:
        return timezone
    sign, minutes = "-" if offset < timedelta() else "+", abs(offset) // timedelta(minutes=1)
    return f"{sign}{minutes // 60:02}:{minutes % 60:02}"


@cache
def _only_offset(timezone: str, until_year: int) -> timedelta | None:
    zone, first = ZoneInfo(timezone), datetime(_SINCE_YEAR, 1, 1, tzinfo=UTC)
    weeks = (until_year - _SINCE_YEAR) * 53
    offsets = {(first + timedelta(weeks=week)).astimezone(zone).utcoffset() for week in range(weeks)}
    return offsets.pop() if len(offsets) == 1 else None
