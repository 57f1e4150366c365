"""Which governed sources can answer the question, for this person."""

from agent.deps import Deps
from agent.errors import SpecNotCompilable
from agent.reading import domain_of, paused, refusal_of, today_of
from agent.restricted import restricted_refusal
from agent.sql.compile.sources import sources_for
from agent.state import RunState, encode_outcome, language_of, spec_of
from agent.values.identity import RunId
from agent.values.outcome import Refusal
from agent.values.spec import Declined
from semantic_catalog.model import Entity


async def schema_linker(state: RunState, deps: Deps) -> RunState:
    """The entities to read, cheapest first; a refusal when the person may see none of them.

    For SQL that is written, not compiled, these are all of the domain's.
    """
    spec, domain = spec_of(state), domain_of(state, deps)
    principal = deps.principal(state["asker"])
    fitting = sources_for(spec, domain, today_of(deps)) if spec else domain.entities
    if not fitting:
        raise SpecNotCompilable(f"no source in {domain.name}")
    visible = tuple(entity for entity in fitting if principal.may_read(domain.name, entity.name))
    refusal = _refusal(visible, state, deps)
    if refusal:
        return {"linked": [], "outcome": encode_outcome(refusal)}
    return {"linked": [entity.name for entity in visible]}


def _refusal(visible: tuple[Entity, ...], state: RunState, deps: Deps) -> Refusal | None:
    """Of a domain that is paused or not the person's, or of what a restriction keeps from them."""
    spec, domain, principal = spec_of(state), domain_of(state, deps), deps.principal(state["asker"])
    run, language = RunId(state["run"]), language_of(state)
    if deps.pauses.is_paused(domain.name):
        return refusal_of(paused(domain, language), run, language)
    if domain.name not in principal.domains or not visible:
        declined = Declined(rule="domain_not_permitted", params=(("domain", domain.names.in_locale(language)),))
        return refusal_of(declined, run, language)
    return restricted_refusal(spec, domain, principal, today_of(deps), run, language) if spec else None
