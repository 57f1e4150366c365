"""A long thread without asking all of it: what answered turns left, written again under runs of its own."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent.state import RunState
from agent.values.governance import Decision
from agent.values.identity import RunId
from agent.values.outcome import Answer, RunRecord
from agent.values.result import ResultTable
from agent.values.run_event import RunEvent
from bot.memories import remember
from bot.ports import Posted
from bot.stores import Stores
from bot.terminal.session import Session, Step
from cards.elements import Attachment

SLOTS = ("proposal:1", "end", "file:chart", "file:workbook")
FILES = ("chart", "workbook")


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """All that an answered turn left in the control database, but for its part of the day's budget."""

    record: RunRecord
    decision: Decision
    answer: Answer
    state: RunState
    rows: ResultTable
    events: tuple[RunEvent, ...]
    cards: tuple[tuple[str, Posted], ...]
    files: tuple[Attachment, ...]


async def left_by(opened: Session, step: Step) -> Left:
    """What the turn of that step left."""
    stores = opened.product.stores
    assert step.stop is not None
    assert isinstance(step.stop.outcome, Answer)
    answer = step.stop.outcome
    record, decision = await stores.runs.get(answer.run), await stores.runs.decision(answer.run)
    assert record is not None
    assert decision is not None
    cards = [(slot, await stores.cards.get(answer.run, slot)) for slot in SLOTS]
    files = [await stores.artifacts.get(answer.run, key) for key in FILES]
    return Left(
        record=record,
        decision=decision,
        answer=answer,
        state=step.stop.state,
        rows=await opened.rows(answer.result),
        events=tuple([_event(entry.event, entry.by, entry.facts) async for entry in stores.audit.entries(answer.run)]),
        cards=tuple((slot, posted) for slot, posted in cards if posted),
        files=tuple(file for file in files if file),
    )


async def copy_turns(opened: Session, turns: Sequence[Left], rounds: int) -> None:
    """Write the turns again, in their order, so many times; the stores are those that turns write with."""
    for number in range(rounds):
        for left in turns:
            await _copied(opened, left, RunId(f"{left.record.run}-{number}"))


def _event(name: str, by: str, facts: dict[str, object]) -> RunEvent:
    return RunEvent(name=name, by=by, facts=facts, once=f"{name}:{facts.get('card', '')}")


async def _copied(opened: Session, left: Left, run: RunId) -> None:
    stores, clock = opened.product.stores, opened.product.clock
    asked = replace(left.record, run=run, created_at=clock.now())
    await stores.runs.create(replace(asked, status="awaiting_approval"))
    assert await stores.runs.decide(run, replace(left.decision, event=f"console:{run}"))
    await stores.runs.update(asked)
    result = await stores.results.write(run, left.rows.columns, left.rows.rows, truncated=False)
    answer = replace(left.answer, run=run, result=result)
    await remember(answer, {**left.state, "run": run}, stores.memory, clock)
    await stores.audit.append_all(run, left.events)
    await _delivered(stores, left, run)


async def _delivered(stores: Stores, left: Left, run: RunId) -> None:
    for slot, (ref, place) in left.cards:
        await stores.cards.put(run, slot, replace(ref, message_id=f"{run}:{slot}"), place)
    for file in left.files:
        await stores.artifacts.put(run, file)
