"""Time as the product sees it."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """The instant, aware, in UTC."""
        return datetime.now(UTC)

    def today(self, timezone: str) -> date:
        """The day in that zone."""
        return self.now().astimezone(ZoneInfo(timezone)).date()


class FixedDayClock(SystemClock):
    """The machine's clock on a fixed calendar day: for data that ends on a known day."""

    def __init__(self, day: date) -> None:
        self._day = day

    def today(self, timezone: str) -> date:  # noqa: ARG002  # the port's argument
        """The fixed day, in every zone."""
        return self._day
