"""What a finished run leaves in the thread's memory."""

from dataclasses import replace

from agent.codec import decode
from agent.ports import Clock, MemoryStore
from agent.state import RunState, usage_of
from agent.values.governance import CostEstimate, Countersignature
from agent.values.identity import PrincipalId, ThreadKey
from agent.values.memory import RememberedRun
from agent.values.outcome import Answer, NoData, Outcome

KEPT_RUNS = 10


async def remember(outcome: Outcome, state: RunState, memory: MemoryStore, clock: Clock) -> None:
    """Add an answered run to its thread. Two writers at once: the later reads again and adds to what is there."""
    if not isinstance(outcome, Answer | NoData):
        return
    run = _remembered(outcome, state, clock)
    saved = False
    while not saved:
        current = await memory.load(ThreadKey(state["thread"]))
        others = tuple(kept for kept in current.runs if kept.run != run.run)
        saved = await memory.save(replace(current, runs=(*others, run)[-KEPT_RUNS:]))


def _remembered(outcome: Answer | NoData, state: RunState, clock: Clock) -> RememberedRun:
    answer = outcome if isinstance(outcome, Answer) else None
    return RememberedRun(
        run=outcome.run,
        asker=PrincipalId(state["asker"]),
        question=state["text"],
        locale=outcome.locale,
        spec=outcome.spec,
        sql=outcome.query.sql,
        headline=_headline(answer) if answer else "",
        findings=answer.narrative.highlights if answer else (),
        sample=answer.sample if answer else None,
        result=answer.result if answer else None,
        finished_at=clock.now(),
        query=outcome.query,
        signature=decode(Countersignature, state["signature"]),
        verification=answer.verification if answer else None,
        data_until=answer.data_until if answer else "",
        request=outcome.receipt.title,
        revision=state.get("revision", 0),
        assumptions=answer.assumptions if answer else (),
        estimate=decode(CostEstimate, state["estimate"]) if state.get("estimate") else None,
        usage=usage_of(state),
        seconds=state.get("seconds", 0.0),
    )


def _headline(answer: Answer) -> str:
    return f"{answer.narrative.lead} {answer.narrative.rest}".strip()
