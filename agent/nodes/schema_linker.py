"""Which governed sources can answer the question, for this person."""

from agent.deps import Deps
from agent.errors import SpecNotCompilable
from agent.reading import domain_of, refusal_of, today_of
from agent.sql.compile.sources import sources_for
from agent.state import RunState, encode_outcome, language_of, spec_of
from agent.values.identity import Principal, RunId
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
    visible = tuple(entity for entity in fitting if _may_read(principal, entity))
    if domain.name in principal.domains and visible:
        return {"linked": [entity.name for entity in visible]}
    language = language_of(state)
    declined = Declined(rule="domain_not_permitted", params=(("domain", domain.names.in_locale(language)),))
    return {"linked": [], "outcome": encode_outcome(refusal_of(declined, RunId(state["run"]), language))}


def _may_read(principal: Principal, entity: Entity) -> bool:
    return principal.entities is None or entity.name in principal.entities
