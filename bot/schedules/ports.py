"""What is asked of the store of schedules."""

from collections.abc import Collection
from datetime import datetime
from typing import Protocol

from agent.values.identity import ChannelName, PrincipalId, TenantId
from agent.values.schedule import Schedule, ScheduleId


class ScheduleStore(Protocol):
    """Keeps schedules. Raises `agent.errors.StoreUnavailable`."""

    async def add(self, schedule: Schedule) -> bool:
        """Keep a new schedule; adding it again changes nothing. Whether it was kept."""
        ...

    async def get(self, schedule: ScheduleId) -> Schedule | None:
        """The schedule, or None."""
        ...

    async def of(self, owner: PrincipalId) -> tuple[Schedule, ...]:
        """The person's schedules, oldest first."""
        ...

    async def update(self, schedule: Schedule, before: str) -> bool:
        """Replace the schedule if its status is still `before`; whether it was."""
        ...

    async def delete(self, schedule: ScheduleId) -> bool:
        """Delete it; whether it was there."""
        ...

    async def of_tenant(self, channel: ChannelName, tenant: TenantId) -> tuple[Schedule, ...]:
        """Everything that is not paused and was made in that workspace or tenant."""
        ...


class DueSchedules(Protocol):
    """Schedules by their time. Raises `agent.errors.StoreUnavailable`."""

    async def due(self, now: datetime, channels: Collection[ChannelName], limit: int) -> tuple[Schedule, ...]:
        """Active schedules of these channels whose time has come, longest due first."""
        ...

    async def advance(self, schedule: Schedule, following: datetime) -> bool:
        """Move an active schedule on from its time; False when somebody else did, or it is no longer active."""
        ...
