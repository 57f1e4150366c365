"""Greetings and 'what can you do?'."""

from agent.deps import Deps
from agent.replies import reply
from agent.state import RunState, language_of


async def general_respond(state: RunState, deps: Deps) -> RunState:
    """Says what this person can ask: the domains they may see and their main metrics, in their language."""
    language = language_of(state)
    principal = deps.principal(state["asker"])
    visible = [domain for domain in deps.catalog_now().domains if domain.name in principal.domains]
    offers = "\n".join(
        f"{domain.names.in_locale(language)}: {', '.join(m.names.in_locale(language) for m in domain.metrics[:6])}"
        for domain in visible
    )
    return reply(state, "reply.capabilities" if visible else "reply.no_domain", offers=offers)
