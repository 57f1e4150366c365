"""What a person wants changed about the pending proposal."""

from dataclasses import replace

from agent.codec import encode
from agent.deps import Deps
from agent.reading import question_of
from agent.state import RunState, read
from agent.values.governance import Decision
from agent.values.memory import RememberedRun, ThreadMemory
from agent.values.spec import QuerySpec


async def feedback_interpreter(state: RunState, deps: Deps) -> RunState:
    """The wanted change, read against the pending spec as if it had just been answered."""
    decision = read(state, "decision", Decision)
    principal = deps.principal(state["asker"])
    pending = _as_last(state, deps)
    question = replace(question_of(state, deps), text=decision.text, memory=pending, pinned=(), assume_defaults=True)
    understanding = await deps.interpreter.interpret(question, principal)
    return {"understanding": encode(understanding), "previous_spec": state["spec"]}


def _as_last(state: RunState, deps: Deps) -> ThreadMemory:
    memory = read(state, "memory", ThreadMemory)
    pending = RememberedRun(
        run=state["run"],  # type: ignore[arg-type]  # a RunId is a str in JSON
        asker=state["asker"],  # type: ignore[arg-type]  # as above
        question=state["text"],
        locale="en",
        spec=read(state, "spec", QuerySpec),
        sql=state["sql"],
        headline="",
        findings=(),
        sample=None,
        result=None,
        finished_at=deps.clock.now(),
    )
    return replace(memory, runs=(*memory.runs, pending))
