"""What the application asks of channels and of its own stores."""

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any, Protocol

from agent.values.governance import Decision
from agent.values.identity import ChannelName, ExternalUser, PrincipalId, RunId, ThreadKey
from agent.values.outcome import RunRecord
from agent.values.standing import StandingApproval
from agent.values.turn import CardRef, Turn
from agent.values.turn import Place as Place
from cards.elements import Acknowledgement, Attachment, Card

Receive = Callable[[Turn], Awaitable[Acknowledgement]]


class Channel(Protocol):
    """A chat platform as the turn runner sees it. Errors are those of `cards.errors`.

    `key` makes a post repeatable: a second post with the same key must not become a second message where the platform
    lets us see that.
    """

    @property
    def name(self) -> ChannelName:
        """The channel's name, as in thread keys."""
        ...

    async def post(self, place: Place, card: Card, key: str) -> CardRef:
        """Post a card into the thread."""
        ...

    async def update(self, place: Place, ref: CardRef, card: Card) -> None:
        """Redraw a posted card."""
        ...

    async def attach(self, place: Place, run: RunId, attachment: Attachment) -> CardRef:
        """Deliver a file into the thread, after the card it belongs to; the file is in the artifact store already."""
        ...

    async def notify(self, place: Place, user: ExternalUser, text: str) -> None:
        """Tell one person something that the others do not see."""
        ...


class RunStore(Protocol):
    """Keeps runs and decides them once."""

    async def create(self, record: RunRecord) -> None:
        """Store a new run; creating it again changes nothing."""
        ...

    async def get(self, run: RunId) -> RunRecord | None:
        """The run, or None."""
        ...

    async def update(self, record: RunRecord) -> None:
        """Replace the run's mutable fields."""
        ...

    async def decide(self, run: RunId, decision: Decision) -> bool:
        """Compare-and-set: record the decision if the run awaits approval of that very fingerprint and is undecided.

        True also for the same decision by the same person again while its resume has not been finished.
        """
        ...

    async def decision(self, run: RunId) -> Decision | None:
        """The last recorded decision."""
        ...

    async def waiting(self, thread: ThreadKey) -> tuple[RunRecord, ...]:
        """The thread's runs that wait for a person, oldest first."""
        ...

    async def expired(self, now: datetime) -> tuple[RunRecord, ...]:
        """Runs that await approval past their time."""
        ...


class CardStore(Protocol):
    """Remembers what was posted, so that a redelivery edits instead of posting twice."""

    async def put(self, run: RunId, slot: str, ref: CardRef, place: Place) -> None:
        """Remember a posted card under the run's slot (`main`, `proposal`, `file:<key>`)."""
        ...

    async def get(self, run: RunId, slot: str) -> tuple[CardRef, Place] | None:
        """The posted card, or None."""
        ...


class ArtifactStore(Protocol):
    """Keeps charts and workbooks until they expire."""

    async def put(self, run: RunId, attachment: Attachment) -> None:
        """Store under (run, key); storing again replaces."""
        ...

    async def get(self, run: RunId, key: str) -> Attachment | None:
        """The stored file; None once expired."""
        ...


class StandingStore(Protocol):
    """Keeps approvals of kinds of questions, at most one in force for each kind and asker."""

    async def add(self, approval: StandingApproval) -> bool:
        """Keep the approval unless one for the same kind and asker is in force; whether it was kept."""
        ...

    async def find(self, kind: str, asker: PrincipalId, now: datetime) -> StandingApproval | None:
        """The asker's approval of that kind that has neither ended nor been revoked at `now`."""
        ...

    async def revoke(self, approval_id: str, now: datetime) -> StandingApproval | None:
        """End the approval at `now`; None when none of that id is in force."""
        ...

    async def in_force(self, now: datetime) -> tuple[StandingApproval, ...]:
        """Every approval that holds at `now`, oldest first."""
        ...


class CancelRequests(Protocol):
    """Carries the wish to stop a run to whichever process runs it."""

    async def request_cancel(self, run: RunId) -> None:
        """Ask for the run to stop; asking again changes nothing. Raises `CacheUnavailable`."""
        ...


class RateGate(Protocol):
    """How often something may happen, counted over all processes."""

    async def allow(self, key: str, limit: int, window: timedelta) -> bool:
        """Count one more use of `key` unless `limit` lie within the last `window`. Raises `CacheUnavailable`."""
        ...


class AuditLog(Protocol):
    """Append-only record of what happened to each run. No row data, no message bodies."""

    async def append(self, run: RunId, event: str, by: str, facts: dict[str, Any], once: str = "") -> None:
        """Add one event (`asked`, `understood`, `proposed`, `decided`, `ran`, `answered`, `delivered` …).

        A second event of the run under the same `once` (not empty) changes nothing.
        """
        ...
