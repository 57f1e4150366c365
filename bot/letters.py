"""What a platform did not take yet: kept, tried again in the order of its thread, and delivered once."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from adapters.control.postgres.letters import PostgresLetterRows
from agent.codec import decode, encode
from agent.state import decode_outcome, encode_outcome
from agent.values.governance import Decision
from agent.values.identity import ChannelName, PrincipalId, RunId, ThreadKey
from agent.values.outcome import Outcome
from agent.values.turn import Turn
from bot.delivery import slot_of
from cards.errors import DeliveryUnavailable

KEPT_FOR: Final = timedelta(hours=24)
"""A letter that no platform took for so long is dead: an administrator sees it."""

FIRST_PAUSE_SECONDS: Final = 5.0
LONGEST_PAUSE_SECONDS: Final = 300.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """An outcome for the turn's thread; with a `decision`, the redrawing of the proposal it was about."""

    turn: Turn
    outcome: Outcome
    asker: PrincipalId | None = None
    decision: Decision | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedLetter:
    """A letter as it waits. `attempts` were made before; `queued_at` is aware."""

    id: int
    letter: Letter
    attempts: int
    queued_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadLetter:
    """What could not be delivered at all, and why: a code, never words. `queued_at` is aware."""

    run: RunId
    thread: ThreadKey
    slot: str
    fault: str
    queued_at: datetime


class Letters:
    """The letters of every process. Raises `StoreUnavailable`."""

    def __init__(self, rows: PostgresLetterRows) -> None:
        self._rows = rows

    async def put(self, letter: Letter, fault: str, wait_seconds: float) -> None:
        """Queue the letter behind those of its thread; another one of its run and slot gives way."""
        outcome, thread = letter.outcome, letter.turn.thread
        await self._rows.put(outcome.run, slot_of_letter(letter), thread, encode_letter(letter), fault, wait_seconds)

    async def bury(self, letter: Letter, fault: str) -> None:
        """Keep the letter as one that cannot be delivered."""
        await self._rows.put_dead(
            letter.outcome.run, slot_of_letter(letter), letter.turn.thread, encode_letter(letter), fault
        )

    async def waits(self, thread: ThreadKey) -> bool:
        """Whether a letter of the thread is not delivered yet."""
        return await self._rows.waits(thread)

    async def claim(self, channel: ChannelName, hold_seconds: float) -> QueuedLetter | None:
        """The first letter of a thread of that channel that is due; nobody else gets it for a while."""
        row = await self._rows.claim(channel, hold_seconds)
        if row is None:
            return None
        letter = decode_letter(row.letter)
        return QueuedLetter(id=row.id, letter=letter, attempts=row.attempts, queued_at=row.queued_at)

    async def done(self, queued: QueuedLetter) -> None:
        """It was delivered."""
        await self._rows.done(queued.id)

    async def later(self, queued: QueuedLetter, error: DeliveryUnavailable) -> None:
        """It is due again after a while."""
        await self._rows.later(queued.id, error.detail, pause_after(error, queued.attempts))

    async def give_up(self, queued: QueuedLetter, fault: str) -> None:
        """It will not be tried again; those behind it are."""
        await self._rows.bury(queued.id, fault)

    async def dead(self, limit: int) -> tuple[DeadLetter, ...]:
        """Letters that were given up, newest first."""
        return tuple(
            DeadLetter(
                run=RunId(row.run),
                thread=ThreadKey(row.thread),
                slot=row.slot,
                fault=row.fault,
                queued_at=row.queued_at,
            )
            for row in await self._rows.dead(limit)
        )


def slot_of_letter(letter: Letter) -> str:
    """One letter at most waits for each thing that a run shows."""
    slot = slot_of(letter.outcome)
    return f"decided:{slot}" if letter.decision else slot


def encode_letter(letter: Letter) -> dict[str, Any]:
    """The letter as plain JSON."""
    return {
        "turn": encode(letter.turn),
        "outcome": encode_outcome(letter.outcome),
        "asker": letter.asker,
        "decision": encode(letter.decision) if letter.decision else None,
    }


def decode_letter(data: dict[str, Any]) -> Letter:
    """The letter that `encode_letter` wrote."""
    return Letter(
        turn=decode(Turn, data["turn"]),
        outcome=decode_outcome(data["outcome"]),
        asker=PrincipalId(data["asker"]) if data["asker"] else None,
        decision=decode(Decision, data["decision"]) if data["decision"] else None,
    )


def pause_after(error: DeliveryUnavailable, attempts: int) -> float:
    """Seconds until a letter is due again: what the platform asked for, else 5, 10, 20 … 300."""
    if error.retry_after is not None:
        return max(error.retry_after, 1.0)
    return min(FIRST_PAUSE_SECONDS * 2.0 ** min(attempts, 10), LONGEST_PAUSE_SECONDS)
