"""What the revision changed, in words: the person sees it, or sees that nothing changed."""

from agent.deps import Deps
from agent.state import RunState, language_of, read
from agent.values.governance import Decision
from agent.values.spec import QuerySpec
from agent.wording.changes import spec_changes
from agent.wording.texts import say


async def feedback_compliance(state: RunState, deps: Deps) -> RunState:
    """The differences between the two specs, one line each; a line saying so when there is none."""
    before, after = read(state, "previous_spec", QuerySpec), read(state, "spec", QuerySpec)
    language = language_of(state)
    changes = spec_changes(before, after, deps.catalog_now().domain(after.domain), language)
    wanted = read(state, "decision", Decision).text
    return {"changes": list(changes) or [say(language, "change.not_understood", words=wanted)]}
