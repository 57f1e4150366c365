"""What a person wants changed about the pending proposal."""

import re
from dataclasses import replace

from agent.codec import encode
from agent.deps import Deps
from agent.pending import memory_of_pending
from agent.reading import question_of
from agent.state import RunState, language_of, read, spec_of, spent
from agent.understanding.taking_back import asks_to_undo
from agent.values.governance import Decision
from agent.values.spec import QuerySpec, Understanding

_SQL = re.compile(r"\s*\(*\s*(?:select|with)\b", re.IGNORECASE)


async def feedback_interpreter(state: RunState, deps: Deps) -> RunState:
    """SQL (it opens with SELECT or WITH), 'undo', or words: read against the pending spec as if it had been answered.

    'Undo the Amex one' is words: it names what is to go. Nothing is taken for granted: a change that leaves something
    open is not made.
    """
    wanted = read(state, "decision", Decision).text
    spec = spec_of(state)
    if _SQL.match(wanted):
        return {"change": "sql", "turned_down": ""}
    if spec is None:
        return {"change": "undo" if asks_to_undo(wanted) else "words", "turned_down": ""}
    meaning = await _meaning(state, deps, wanted, spec)
    cost = spent(state, meaning.usage)
    taken_back = asks_to_undo(wanted) and _changes_nothing(meaning, spec)
    return {"change": "undo" if taken_back else "words", "turned_down": "", "feedback": encode(meaning), **cost}


async def _meaning(state: RunState, deps: Deps, wanted: str, spec: QuerySpec) -> Understanding:
    memory = memory_of_pending(
        state["thread"], state["run"], state["asker"], state["text"], spec, language_of(state), deps.clock.now()
    )
    question = replace(question_of(state, deps), text=wanted, memory=memory, pinned=(), assume_defaults=False)
    return await deps.interpreter.interpret(question, deps.principal(state["asker"]))


def _changes_nothing(meaning: Understanding, spec: QuerySpec) -> bool:
    return meaning.spec is None or same_question(meaning.spec, spec)


def same_question(one: QuerySpec, other: QuerySpec) -> bool:
    """Whether two specs ask the same; a signed question that was read again has lost its name."""
    return replace(one, trusted_query=None, entity=None) == replace(other, trusted_query=None, entity=None)
