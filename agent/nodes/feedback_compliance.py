"""What the revision changed, in words: the person sees it, or sees why nothing changed."""

from agent.codec import decode
from agent.deps import Deps
from agent.reading import domain_of
from agent.state import RunState, language_of, read, spec_of
from agent.values.governance import Decision
from agent.values.spec import QuerySpec
from agent.wording.changes import spec_changes
from agent.wording.texts import say


async def feedback_compliance(state: RunState, deps: Deps) -> RunState:
    """One line a difference to the version before; for SQL edited by hand, who edited it."""
    language = language_of(state)
    if state.get("turned_down"):
        return {"changes": state["changes"]}
    if state["change"] == "undo":
        return {"changes": [say(language, "approval.undone")]}
    decision, after = read(state, "decision", Decision), spec_of(state)
    if after is None and state["origin"] == "model":
        return {"changes": [say(language, "approval.as_asked", words=decision.text)]}
    if after is None:
        return {"changes": [say(language, "approval.edited_by", name=decision.by_name or decision.by)]}
    before = decode(QuerySpec, state["revisions"][-1]["spec"])
    changes = spec_changes(before, after, domain_of(state, deps), language)
    return {"changes": list(changes) or [say(language, "approval.as_asked", words=decision.text)]}
