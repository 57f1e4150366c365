"""What the revision changed, in words, and whether only that was asked for."""

from agent.codec import decode
from agent.deps import Deps
from agent.feedback.asked import unasked
from agent.feedback.facets import places_in, surplus
from agent.feedback.operations import operations_between
from agent.reading import domain_of
from agent.revisions import restored
from agent.sql.read import read as read_sql
from agent.state import RunState, language_of, read, spec_of
from agent.understanding.absent import said_absent
from agent.values.feedback import Operation
from agent.values.governance import Decision, Finding
from agent.values.spec import QuerySpec, Understanding
from agent.wording.changes import spec_changes
from agent.wording.texts import say

MORE_THAN_ASKED = "more_than_asked"


async def feedback_compliance(state: RunState, deps: Deps) -> RunState:
    """One line a difference to the version before; for SQL edited by hand, who edited it.

    Where something changed that nobody asked for, the version before stands again and the person is told: what they
    did not ask for does not come back to them.
    """
    language = language_of(state)
    if state.get("turned_down"):
        return {"changes": state["changes"]}
    if state["change"] == "undo":
        return {"changes": [say(language, "approval.undone")]}
    if state["change"] == "sql":
        decision = read(state, "decision", Decision)
        return {"changes": [say(language, "approval.edited_by", name=decision.by_name or decision.by)]}
    after, before = spec_of(state), state["revisions"][-1]
    if after is not None and before["spec"]:
        return _of_spec(state, deps, decode(QuerySpec, before["spec"]), after)
    return _of_statement(state, deps, before["sql"])


def _of_spec(state: RunState, deps: Deps, before: QuerySpec, after: QuerySpec) -> RunState:
    """Rules read every word; of a model's reading each operation has to be named in the words."""
    language, domain, decision = language_of(state), domain_of(state, deps), read(state, "decision", Decision)
    by_model = read(state, "feedback", Understanding).source == "llm"
    extra = unasked(operations_between(before, after), decision.text, before, domain) if by_model else ()
    if extra:
        return _taken_back(state)
    absent = said_absent(read(state, "feedback", Understanding), language)
    changes = (*spec_changes(before, after, domain, language), *absent)
    return {"changes": list(changes) or [say(language, "approval.as_asked", words=decision.text)]}


def _of_statement(state: RunState, deps: Deps, before: str) -> RunState:
    """The trees side by side: only the parts that the plan's operations are about may differ."""
    language, domain, decision = language_of(state), domain_of(state, deps), read(state, "decision", Decision)
    old, new = read_sql(before, domain.dialect), read_sql(state["sql"], domain.dialect)
    plan = read(state, "operations", tuple[Operation, ...])
    if isinstance(old, Finding) or isinstance(new, Finding):
        return _taken_back(state)
    if surplus(old, new, plan or (Operation(name="semantic_regeneration"),), places_in(domain)):
        return _taken_back(state)
    return {"changes": state["changes"] or [say(language, "approval.as_asked", words=decision.text)]}


def _taken_back(state: RunState) -> RunState:
    back = restored(state)
    assert back is not None
    return {**back, "turned_down": MORE_THAN_ASKED, "changes": [say(language_of(state), "approval.more_than_asked")]}
