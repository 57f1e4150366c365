"""Time that stands still until a test moves it."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo


class FrozenClock:
    """The `Clock` port; starts on the day after the demo data ends."""

    def __init__(self, now: datetime = datetime(2026, 11, 1, 15, 0, tzinfo=UTC)) -> None:
        self._now = now

    def now(self) -> datetime:
        """The instant it stands at."""
        return self._now

    def today(self, timezone: str) -> date:
        """The day in that zone."""
        return self._now.astimezone(ZoneInfo(timezone)).date()

    def advance(self, by: timedelta) -> None:
        """Let time pass."""
        self._now += by
