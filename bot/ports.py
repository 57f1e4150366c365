"""What the application asks of channels and of its own stores."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from agent.values.file import FileId, FileRefused, ThreadFile
from agent.values.governance import Decision
from agent.values.identity import ChannelName, ExternalUser, PrincipalId, RunId, ThreadKey
from agent.values.outcome import RunRecord
from agent.values.personal import Forgotten, PersonalMemory
from agent.values.rate import Excess, Rate
from agent.values.run_event import RunEvent
from agent.values.standing import StandingApproval
from agent.values.turn import CardRef, InboundFile, Turn
from agent.values.turn import Place as Place
from cards.elements import Acknowledgement, Attachment, Button, Card
from semantic_catalog.model import Locale

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


@runtime_checkable
class PostFinder(Protocol):
    """A channel that finds its own messages again, in whichever process they were posted. Errors: `cards.errors`."""

    async def find(self, place: Place, key: str) -> CardRef | None:
        """The message that was posted there under the key."""
        ...

    async def find_file(self, place: Place, run: RunId, attachment: Attachment) -> CardRef | None:
        """The message that brought that file of the run."""
        ...

    async def find_direct(self, user: ExternalUser, key: str) -> tuple[CardRef, Place] | None:
        """The message that was posted to that person alone under the key."""
        ...


@runtime_checkable
class PrivateOffers(Protocol):
    """A channel whose private notices can carry buttons."""

    async def offer(
        self, place: Place, user: ExternalUser, text: str, offers: tuple[Button, ...], locale: Locale
    ) -> None:
        """Tell one person something that the others do not see, with buttons of theirs."""
        ...


@runtime_checkable
class DirectMessages(Protocol):
    """People alone, away from any thread. Errors are those of `cards.errors`."""

    async def direct(self, user: ExternalUser, card: Card, key: str) -> tuple[CardRef, Place]:
        """Post a card to one person alone; the same key posts once. The place is the thread it opens."""
        ...

    async def takes_part(self, place: Place, user: ExternalUser) -> bool:
        """Whether the person wrote in the thread, and so sees what is posted there."""
        ...

    async def is_active(self, user: ExternalUser) -> bool:
        """Whether the platform still knows the person as one who may sign in."""
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


Slot = tuple[RunId, str]
"""A run, and the name under which one of its messages is remembered."""

Posted = tuple[CardRef, Place]
"""A message and where it stands."""


class CardStore(Protocol):
    """Remembers what was posted, so that a redelivery edits instead of posting twice."""

    async def put(self, run: RunId, slot: str, ref: CardRef, place: Place) -> None:
        """Remember a posted card under the run's slot (`main`, `proposal`, `file:<key>`)."""
        ...

    async def get(self, run: RunId, slot: str) -> tuple[CardRef, Place] | None:
        """The posted card, or None."""
        ...

    async def note(self, run: RunId, slot: str) -> bool:
        """A message is about to be posted under the slot; whether that was noted before, and `put` never followed.

        Such a message may stand there: whoever noted it was cut short.
        """
        ...

    async def withdraw(self, run: RunId, slot: str) -> None:
        """The platform took nothing of what was noted."""
        ...

    async def noted(self, run: RunId, slot: str) -> bool:
        """Whether a post under the slot was noted that `put` never followed."""
        ...

    async def claim(self, own: tuple[Slot, ...], others: tuple[Slot, ...] = ()) -> Mapping[Slot, Posted | None]:
        """Note, as `note` does, that messages are about to be posted under those of `own` that have no card.

        Of all of them what was known before: the posted card, or None for a post that was noted and never `put`.
        """
        ...

    async def copies(self, run: RunId, slot: str) -> tuple[tuple[CardRef, Place], ...]:
        """The cards under `<slot>@…`: the same card in front of other people, in the order of their slots."""
        ...


class ArtifactStore(Protocol):
    """Keeps charts and workbooks until they expire."""

    async def put(self, run: RunId, attachment: Attachment) -> None:
        """Store under (run, key); storing again replaces."""
        ...

    async def get(self, run: RunId, key: str) -> Attachment | None:
        """The stored file; None once expired."""
        ...


class FileSource(Protocol):
    """A channel's way to the bytes of the files that its turns name."""

    async def fetch(self, file: InboundFile, into: Path, most: int) -> FileRefused | None:
        """Write the file's bytes into `into`; why not, where it is not to be had or has more than `most` bytes.

        Its credentials go to the channel's own hosts only. Raises `cards.errors.DeliveryUnavailable` for what passes.
        """
        ...


class FileStore(Protocol):
    """Keeps files that were given in threads until they expire, for every process."""

    async def add(self, file: ThreadFile, content: Path) -> None:
        """Keep a new file with the bytes of `content`, whole or not at all; adding it again changes nothing."""
        ...

    async def get(self, file: FileId, now: datetime) -> ThreadFile | None:
        """The file; None once it is deleted or past its time."""
        ...

    async def of_thread(self, thread: ThreadKey, now: datetime) -> tuple[ThreadFile, ...]:
        """The thread's files that have not expired, oldest first."""
        ...

    async def of_giver(self, giver: PrincipalId, now: datetime) -> tuple[ThreadFile, ...]:
        """A person's files that have not expired, in every thread, oldest first."""
        ...

    async def update(self, file: ThreadFile) -> bool:
        """Replace what is known of the file; its bytes stay. False when it is gone."""
        ...

    async def fetch(self, file: FileId, into: Path) -> bool:
        """Write the file's bytes into `into`; False when they are gone."""
        ...

    async def delete(self, file: FileId) -> bool:
        """Delete the file and its bytes; whether it was there."""
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


class GroupDirectory(Protocol):
    """Who is in the groups of one chat platform."""

    async def groups_of(self, user: ExternalUser, groups: Collection[str], *, fresh: bool = False) -> frozenset[str]:
        """Those of `groups`, ids of the user's own tenant, that hold the user: as of now if `fresh`, else as of a few
        minutes ago at most. A group that does not exist holds nobody.

        Raises `agent.errors.GroupsUnavailable`.
        """
        ...


class SeenIdentities(Protocol):
    """Under which id each platform knew a principal last. Raises `agent.errors.StoreUnavailable`."""

    async def put(self, principal: PrincipalId, user: ExternalUser) -> None:
        """The principal spoke as that user; the last one of a channel stays."""
        ...

    async def of(self, principal: PrincipalId) -> tuple[ExternalUser, ...]:
        """The principal's users, one a channel at most."""
        ...


class RunLists(Protocol):
    """Runs of a person or a time, newest first."""

    async def recent(self, person: PrincipalId, limit: int) -> tuple[RunRecord, ...]:
        """The person's newest runs."""
        ...

    async def open_of(self, person: PrincipalId) -> tuple[RunRecord, ...]:
        """The person's runs that run or wait for somebody."""
        ...

    async def since(self, at: datetime, limit: int) -> tuple[RunRecord, ...]:
        """Everybody's runs from an aware instant on."""
        ...

    async def awaiting(self, limit: int) -> tuple[RunRecord, ...]:
        """Everybody's runs that await approval."""
        ...

    async def waiting_in(self, prefix: str) -> tuple[RunRecord, ...]:
        """Runs that wait for somebody in threads whose key begins so, oldest first."""
        ...

    async def stale(self, before: datetime, limit: int) -> tuple[RunRecord, ...]:
        """Runs that were opened before an aware instant and neither ended nor await approval, oldest first."""
        ...

    async def begun_by(self, event: str, run: RunId) -> RunRecord | None:
        """The run that an event decided or answered the question of; else `run`, which it opens, if that is there."""
        ...


class PersonalStore(Protocol):
    """Keeps what people confirmed about their own words and habits."""

    async def keep(self, memory: PersonalMemory) -> None:
        """Store it in place of what the same words, or the same habit, stood for."""
        ...

    async def of(self, person: PrincipalId, now: datetime) -> tuple[PersonalMemory, ...]:
        """The person's memories that have not lapsed at `now`, oldest first; nobody else's."""
        ...

    async def forget(self, person: PrincipalId, ids: tuple[str, ...]) -> int:
        """Delete those memories of the person; how many there were."""
        ...


class FeedbackStore(Protocol):
    """Keeps what people think of answers: the last opinion of each."""

    async def give(self, run: RunId, person: PrincipalId, verb: str, text: str, now: datetime) -> None:
        """Keep what the person thinks of the run's answer, in place of what they thought before."""
        ...


class PersonalData(Protocol):
    """Everything that is kept of people."""

    async def forget(self, person: PrincipalId) -> Forgotten:
        """Delete the person's questions, answers, files, memories and words; what went."""
        ...


class Switches(Protocol):
    """What an administrator switched for every process, by name."""

    async def all(self) -> dict[str, str]:
        """Every value by its name."""
        ...

    async def set(self, name: str, value: str, by: str, now: datetime) -> None:
        """Switch a name to a value."""
        ...

    async def clear(self, name: str) -> None:
        """Forget a name."""
        ...


class CancelRequests(Protocol):
    """Carries the wish to stop a run to whichever process runs it."""

    async def request_cancel(self, run: RunId) -> None:
        """Ask for the run to stop; asking again changes nothing. Raises `CacheUnavailable`."""
        ...


class RateGate(Protocol):
    """How often something may happen, counted over all processes."""

    async def allow(self, key: str, limit: int, window: timedelta, once: str = "") -> bool:
        """Count one more use of `key` unless `limit` lie within the last `window`. Raises `CacheUnavailable`.

        The same `once` (not empty) within the window is one use.
        """
        ...

    async def take(self, rates: tuple[Rate, ...], window: timedelta, once: str) -> Excess | None:
        """Count a use of every rate, unless one of them has no room: then that one. Raises `CacheUnavailable`.

        The same `once` within the window is one use.
        """
        ...


class AuditLog(Protocol):
    """Append-only record of what happened to each run. No row data, no message bodies."""

    async def append(self, run: RunId, event: str, by: str, facts: dict[str, Any], once: str = "") -> None:
        """Add one event (`asked`, `understood`, `proposed`, `decided`, `ran`, `answered`, `delivered` …).

        A second event of the run under the same `once` (not empty) changes nothing.
        """
        ...

    async def append_all(self, run: RunId, events: Sequence[RunEvent]) -> None:
        """Add several events of the run in their order, all or none."""
        ...
