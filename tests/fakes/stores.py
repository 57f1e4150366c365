"""The stores in memory. Each passes the contract suite of its port."""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from agent.errors import ResultExpired
from agent.ports import Clock
from agent.values.file import FileId, ThreadFile
from agent.values.governance import Decision
from agent.values.identity import ExternalUser, PrincipalId, RunId, ThreadKey
from agent.values.memory import ThreadMemory
from agent.values.outcome import RunRecord
from agent.values.result import LONG_ROWS, LongRows, ResultColumn, ResultId, ResultRef, ResultTable, Row
from agent.values.run_event import RunEvent
from agent.values.standing import StandingApproval
from agent.values.turn import CardRef, Place
from bot.ports import Posted, Slot
from cards.elements import Attachment


class InMemoryRunStore:
    """Runs and their decisions."""

    def __init__(self) -> None:
        self._runs: dict[RunId, RunRecord] = {}
        self._decisions: dict[tuple[RunId, int], Decision] = {}

    async def create(self, record: RunRecord) -> None:
        self._runs.setdefault(record.run, record)

    async def get(self, run: RunId) -> RunRecord | None:
        return self._runs.get(run)

    async def update(self, record: RunRecord) -> None:
        if record.run in self._runs:
            self._runs[record.run] = record

    async def decide(self, run: RunId, decision: Decision) -> bool:
        record = self._runs.get(run)
        if record is None or not _is_open(record, decision):
            return False
        stored = self._decisions.setdefault((run, record.revision), decision)
        return _identity(stored) == _identity(decision)

    async def decision(self, run: RunId) -> Decision | None:
        revisions = [revision for decided, revision in self._decisions if decided == run]
        return self._decisions[run, max(revisions)] if revisions else None

    async def waiting(self, thread: ThreadKey) -> tuple[RunRecord, ...]:
        found = [record for record in self._runs.values() if record.thread == thread and self._waits(record)]
        return tuple(sorted(found, key=lambda record: (record.created_at, record.run)))

    async def expired(self, now: datetime) -> tuple[RunRecord, ...]:
        found = [record for record in self._runs.values() if self._lapsed(record, now)]
        return tuple(sorted(found, key=lambda record: (record.expires_at or now, record.run)))

    def _waits(self, record: RunRecord) -> bool:
        if record.status == "awaiting_approval":
            return self._current(record) is None
        return record.status == "needs_clarification"

    def _lapsed(self, record: RunRecord, now: datetime) -> bool:
        if record.status != "awaiting_approval" or record.expires_at is None or record.expires_at > now:
            return False
        decision = self._current(record)
        return decision is None or decision.kind == "expire"

    def _current(self, record: RunRecord) -> Decision | None:
        return self._decisions.get((record.run, record.revision))


class InMemoryCardStore:
    """Posted cards."""

    def __init__(self) -> None:
        self._cards: dict[tuple[RunId, str], tuple[CardRef, Place]] = {}
        self._noted: set[tuple[RunId, str]] = set()

    async def put(self, run: RunId, slot: str, ref: CardRef, place: Place) -> None:
        self._cards[run, slot] = (ref, place)
        self._noted.discard((run, slot))

    async def note(self, run: RunId, slot: str) -> bool:
        before = (run, slot) in self._noted
        self._noted.add((run, slot))
        return before

    async def withdraw(self, run: RunId, slot: str) -> None:
        self._noted.discard((run, slot))

    async def noted(self, run: RunId, slot: str) -> bool:
        return (run, slot) in self._noted

    async def get(self, run: RunId, slot: str) -> tuple[CardRef, Place] | None:
        return self._cards.get((run, slot))

    async def claim(self, own: tuple[Slot, ...], others: tuple[Slot, ...] = ()) -> Mapping[Slot, Posted | None]:
        known = {slot: self._cards.get(slot) for slot in (*own, *others) if slot in self._cards or slot in self._noted}
        self._noted.update(slot for slot in own if slot not in self._cards)
        return known

    async def copies(self, run: RunId, slot: str) -> tuple[tuple[CardRef, Place], ...]:
        found = sorted(key for key in self._cards if key[0] == run and key[1].startswith(f"{slot}@"))
        return tuple(self._cards[key] for key in found)


class InMemoryArtifactStore:
    """Charts and workbooks."""

    def __init__(self, clock: Clock, keep: timedelta = timedelta(days=7)) -> None:
        self._clock = clock
        self._keep = keep
        self._files: dict[tuple[RunId, str], tuple[Attachment, datetime]] = {}

    async def put(self, run: RunId, attachment: Attachment) -> None:
        content = b"".join([part async for part in attachment.read()])
        whole = replace(attachment, content=content, length=0, parts=None)
        self._files[run, attachment.key] = (whole, self._clock.now() + self._keep)

    async def get(self, run: RunId, key: str) -> Attachment | None:
        attachment, until = self._files.get((run, key), (None, self._clock.now()))
        return attachment if until > self._clock.now() else None

    async def expire(self, now: datetime) -> int:
        gone = [key for key, (_, until) in self._files.items() if until <= now]
        for key in gone:
            del self._files[key]
        return len(gone)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEvent:
    """One event of the log."""

    run: RunId
    event: str
    by: str
    at: datetime
    facts: dict[str, Any]


class InMemoryAuditLog:
    """Audit events, oldest first."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.events: list[AuditEvent] = []
        self._once: set[tuple[RunId, str]] = set()

    async def append(self, run: RunId, event: str, by: str, facts: dict[str, Any], once: str = "") -> None:
        if once and (run, once) in self._once:
            return
        self._once.add((run, once))
        self.events.append(AuditEvent(run=run, event=event, by=by, at=self._clock.now(), facts=dict(facts)))

    async def append_all(self, run: RunId, events: Sequence[RunEvent]) -> None:
        for event in events:
            await self.append(run, event.name, event.by, event.facts, event.once)

    async def verify(self) -> int | None:
        return None


class HeldRows(LongRows):
    """Rows in memory that are read as those of a long result are."""

    def __init__(self, rows: Sequence[Row], piece: int = 1_000) -> None:
        super().__init__()
        self._rows = tuple(rows)
        self._piece = piece

    def __len__(self) -> int:
        return len(self._rows)

    def pieces(self, start: int = 0) -> Iterator[tuple[Row, ...]]:
        for at in range(start, len(self._rows), self._piece):
            yield self._rows[at : at + self._piece]


class InMemoryResultStore:
    """Result rows."""

    def __init__(self, clock: Clock, keep: timedelta = timedelta(days=7)) -> None:
        self._clock = clock
        self._keep = keep
        self._numbers = count(1)
        self._results: dict[RunId, tuple[ResultRef, tuple[Row, ...]]] = {}

    async def write(
        self, run: RunId, columns: tuple[ResultColumn, ...], rows: Sequence[Row], truncated: bool
    ) -> ResultRef:
        ref = ResultRef(
            id=ResultId(f"result-{next(self._numbers)}"),
            run=run,
            columns=columns,
            row_count=len(rows),
            truncated=truncated,
            expires_at=self._clock.now() + self._keep,
        )
        self._results[run] = (ref, tuple(rows))
        return ref

    async def write_batches(
        self,
        run: RunId,
        batches: AsyncIterator[Sequence[Row]],
        columns: Callable[[], tuple[ResultColumn, ...]],
        most: int,
    ) -> ResultRef:
        rows = [row async for batch in batches for row in batch]
        return await self.write(run, columns(), rows[:most], truncated=len(rows) > most)

    async def read(self, ref: ResultRef, limit: int | None = None) -> ResultTable:
        stored, rows = self._results.get(ref.run, (None, ()))
        if stored is None or stored.id != ref.id or stored.expires_at <= self._clock.now():
            raise ResultExpired
        wanted = rows[:limit]
        return ResultTable(columns=ref.columns, rows=HeldRows(wanted) if len(wanted) > LONG_ROWS else wanted)

    async def expire(self, now: datetime) -> int:
        gone = [run for run, (ref, _) in self._results.items() if ref.expires_at <= now]
        for run in gone:
            del self._results[run]
        return len(gone)


class InMemoryMemoryStore:
    """Thread memories."""

    def __init__(self) -> None:
        self._memories: dict[ThreadKey, ThreadMemory] = {}

    async def load(self, thread: ThreadKey) -> ThreadMemory:
        return self._memories.get(thread, ThreadMemory(thread=thread))

    async def save(self, memory: ThreadMemory) -> bool:
        if (await self.load(memory.thread)).version != memory.version:
            return False
        self._memories[memory.thread] = replace(memory, version=memory.version + 1)
        return True


def _is_open(record: RunRecord, decision: Decision) -> bool:
    if record.status != "awaiting_approval" or record.fingerprint != decision.fingerprint:
        return False
    if decision.revision not in (0, record.revision):
        return False
    lapsed = record.expires_at is not None and record.expires_at <= decision.at
    return lapsed == (decision.kind == "expire")


def _identity(decision: Decision) -> tuple[str, ...]:
    return decision.kind, decision.by, decision.fingerprint, decision.text, decision.event


class InMemoryStandingStore:
    """Approvals of kinds of questions."""

    def __init__(self) -> None:
        self._held: dict[tuple[str, PrincipalId], StandingApproval] = {}

    async def add(self, approval: StandingApproval) -> bool:
        held = self._held.setdefault((approval.kind, approval.asker), approval)
        if held is not approval and held.expires_at <= approval.granted_at:
            self._held[approval.kind, approval.asker] = held = approval
        return held is approval

    async def find(self, kind: str, asker: PrincipalId, now: datetime) -> StandingApproval | None:
        held = self._held.get((kind, asker))
        return held if held and held.expires_at > now else None

    async def revoke(self, approval_id: str, now: datetime) -> StandingApproval | None:
        found = next((held for held in self._held.values() if held.id == approval_id and held.expires_at > now), None)
        if found:
            del self._held[found.kind, found.asker]
        return found

    async def in_force(self, now: datetime) -> tuple[StandingApproval, ...]:
        held = [approval for approval in self._held.values() if approval.expires_at > now]
        return tuple(sorted(held, key=lambda approval: (approval.granted_at, approval.id)))


class InMemoryIdentities:
    """Under which ids people were seen."""

    def __init__(self) -> None:
        self._users: dict[tuple[PrincipalId, str], ExternalUser] = {}

    async def put(self, principal: PrincipalId, user: ExternalUser) -> None:
        self._users[principal, user.channel] = user

    async def of(self, principal: PrincipalId) -> tuple[ExternalUser, ...]:
        return tuple(user for (known, _), user in sorted(self._users.items()) if known == principal)


class InMemoryFileStore:
    """Files of threads with their bytes."""

    def __init__(self) -> None:
        self._files: dict[FileId, tuple[ThreadFile, bytes]] = {}

    async def add(self, file: ThreadFile, content: Path) -> None:
        self._files.setdefault(file.id, (file, content.read_bytes()))  # noqa: ASYNC240  # a test's small file

    async def get(self, file: FileId, now: datetime) -> ThreadFile | None:
        found = self._files.get(file)
        return found[0] if found and found[0].expires_at > now else None

    async def of_thread(self, thread: ThreadKey, now: datetime) -> tuple[ThreadFile, ...]:
        return tuple(file for file in self._kept(now) if file.thread == thread)

    async def of_giver(self, giver: PrincipalId, now: datetime) -> tuple[ThreadFile, ...]:
        return tuple(file for file in self._kept(now) if file.giver == giver)

    async def update(self, file: ThreadFile) -> bool:
        if file.id not in self._files:
            return False
        self._files[file.id] = (file, self._files[file.id][1])
        return True

    async def fetch(self, file: FileId, into: Path) -> bool:
        found = self._files.get(file)
        into.write_bytes(found[1] if found else b"")  # noqa: ASYNC240  # a test's small file
        return found is not None

    async def delete(self, file: FileId) -> bool:
        return self._files.pop(file, None) is not None

    async def expire(self, now: datetime) -> int:
        gone = [file for file, (kept, _) in self._files.items() if kept.expires_at <= now]
        for file in gone:
            del self._files[file]
        return len(gone)

    def _kept(self, now: datetime) -> tuple[ThreadFile, ...]:
        kept = [file for file, _ in self._files.values() if file.expires_at > now]
        return tuple(sorted(kept, key=lambda file: (file.given_at, file.id)))
