"""An answered question that is asked again and again, on somebody's behalf."""

from dataclasses import dataclass
from datetime import datetime, time
from typing import Literal, NewType

from agent.values.governance import CheckedQuery, Risk
from agent.values.identity import ExternalUser, PrincipalId
from agent.values.spec import QuerySpec, Threshold
from agent.values.turn import Audience, Place
from semantic_catalog.model import DomainName, Locale

ScheduleId = NewType("ScheduleId", str)
Frequency = Literal["day", "weekdays", "week", "month"]
ScheduleStatus = Literal["waiting", "active", "paused"]
PauseReason = Literal["", "owner", "gone", "refused", "rejected", "uninstalled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recurrence:
    """Wall-clock times in `timezone`: every day, every weekday (Monday to Friday), every week, every month.

    `weekday` (Monday is 0) counts for a week, `month_day` (1–31, the last day of shorter months) for a month.
    """

    every: Frequency
    at: time
    timezone: str
    weekday: int = 0
    month_day: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """What is asked, for whom, where the answer goes, and when next.

    `status`: `waiting` for its approval, `active`, or `paused` (`why` says by what). With a `condition` only answers
    that fulfil it are delivered. `query` and `risk` are what was shown when it was made: they say what its approval is
    for, each run makes its own. `asked` counts how often that approval was asked for anew. `due_at` is the next time,
    aware (UTC).
    """

    id: ScheduleId
    owner: PrincipalId
    owner_name: str
    user: ExternalUser
    title: str
    locale: Locale
    spec: QuerySpec
    recurrence: Recurrence
    query: CheckedQuery
    risk: Risk
    place: Place
    audience: Audience
    created_at: datetime
    due_at: datetime
    condition: Threshold | None = None
    status: ScheduleStatus = "active"
    why: PauseReason = ""
    asked: int = 0

    @property
    def domain(self) -> DomainName:
        """What it reads."""
        return self.spec.domain

    @property
    def approval_kind(self) -> str:
        """The kind under which its own approval is kept."""
        return schedule_kind(self.id)


def schedule_kind(schedule: str) -> str:
    """The kind of question that one schedule is."""
    return f"schedule:{schedule}"
