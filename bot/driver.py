"""Drives one run of the graph: starts it, resumes it, goes on after a crash, and forgets its checkpoints."""

from dataclasses import dataclass
from typing import Any

from agent.codec import encode
from agent.conversation import resume_with
from agent.state import RunState, decode_outcome
from agent.values.governance import Decision
from agent.values.identity import RunId, ThreadKey
from agent.values.outcome import Outcome, Proposal
from bot.identifiers import graph_thread_id
from semantic_catalog.errors import OperatorError

DURABILITY = "exit"
"""Only where a run stops is kept. A crash costs the thinking since then, never a second query: see `Fetches`."""


class RunLost(OperatorError):
    """A run without checkpoints was asked to go on: it has ended, or its checkpoints were removed."""

    code = "run_lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStop:
    """Where a run stands: what it ended with or waits for, and everything it carried there."""

    outcome: Outcome
    state: RunState


class RunDriver:
    """One compiled conversation graph. Every method may be repeated after a crash: no finished step is done twice."""

    def __init__(self, graph: Any) -> None:
        self._graph = graph

    async def start(self, thread: ThreadKey, run: RunId, state: RunState, *, is_new: bool = False) -> RunStop:
        """Run until an outcome; goes on from the last checkpoint if the run had started before.

        `is_new` says that it had not.
        """
        snapshot = None if is_new else await self._graph.aget_state(_config(thread, run))
        if snapshot is None or not snapshot.values:
            return await self._go(thread, run, state)
        return await self._continue(thread, run, snapshot)

    async def decide(self, thread: ThreadKey, run: RunId, decision: Decision) -> RunStop:
        """Resume a run that waits for approval of exactly what `decision` was about; otherwise only go on."""
        snapshot = await self._existing(thread, run)
        if not _waits_for(_interrupt_of(snapshot), decision):
            return await self._continue(thread, run, snapshot)
        return await self._go(thread, run, resume_with(encode(decision)))

    async def clarify(self, thread: ThreadKey, run: RunId, value: str, round_number: int) -> RunStop:
        """Resume a run that waits for the answer to that round's question; otherwise only go on."""
        snapshot = await self._existing(thread, run)
        pending = _interrupt_of(snapshot)
        if getattr(pending, "round", None) != round_number:
            return await self._continue(thread, run, snapshot)
        return await self._go(thread, run, resume_with({"value": value}))

    async def go_on(self, thread: ThreadKey, run: RunId) -> RunStop:
        """Where the run stands; what was cut short is finished first."""
        return await self._continue(thread, run, await self._existing(thread, run))

    async def knows(self, thread: ThreadKey, run: RunId) -> bool:
        """Whether the run has checkpoints: it has begun, and its end was not delivered yet."""
        return bool((await self._graph.aget_state(_config(thread, run))).values)

    async def forget(self, thread: ThreadKey, run: RunId) -> None:
        """Drop the run's checkpoints; called when it has ended and everything was delivered."""
        await self._graph.checkpointer.adelete_thread(graph_thread_id(thread, run))

    async def _existing(self, thread: ThreadKey, run: RunId) -> Any:
        snapshot = await self._graph.aget_state(_config(thread, run))
        if not snapshot.values:
            raise RunLost(f"run {run}")
        return snapshot

    async def _continue(self, thread: ThreadKey, run: RunId, snapshot: Any) -> RunStop:
        waiting = _interrupt_of(snapshot)
        if waiting is not None:
            return RunStop(outcome=waiting, state=snapshot.values)
        if snapshot.next:
            return await self._go(thread, run, None)
        return _stop(snapshot.values)

    async def _go(self, thread: ThreadKey, run: RunId, given: Any) -> RunStop:
        return _stop(await self._graph.ainvoke(given, _config(thread, run), durability=DURABILITY))


def _config(thread: ThreadKey, run: RunId) -> dict[str, Any]:
    return {"configurable": {"thread_id": graph_thread_id(thread, run)}}


def _waits_for(pending: Outcome | None, decision: Decision) -> bool:
    if not isinstance(pending, Proposal) or pending.fingerprint != decision.fingerprint:
        return False
    return decision.revision in (0, pending.revision)


def _interrupt_of(snapshot: Any) -> Outcome | None:
    return decode_outcome(snapshot.interrupts[0].value) if snapshot.interrupts else None


def _stop(values: dict[str, Any]) -> RunStop:
    interrupts = values.get("__interrupt__")
    outcome = decode_outcome(interrupts[0].value if interrupts else values["outcome"])
    return RunStop(outcome=outcome, state=values)  # type: ignore[arg-type]  # the graph's values are a RunState
