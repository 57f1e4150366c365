"""Which governed sources can answer the spec, for this person."""

from agent.deps import Deps
from agent.errors import SpecNotCompilable
from agent.reading import refusal_of, today_of
from agent.sql.compile.sources import sources_for
from agent.state import RunState, encode_outcome, language_of, read
from agent.values.identity import Principal, RunId
from agent.values.spec import Declined, QuerySpec
from semantic_catalog.model import Entity


async def schema_linker(state: RunState, deps: Deps) -> RunState:
    """The entities to read, cheapest first; a refusal when the person may see none of them."""
    spec = read(state, "spec", QuerySpec)
    principal = deps.principal(state["asker"])
    domain = deps.catalog_now().domain(spec.domain)
    fitting = sources_for(spec, domain, today_of(deps))
    if not fitting:
        raise SpecNotCompilable(f"no source in {spec.domain}")
    visible = tuple(entity for entity in fitting if _may_read(principal, entity))
    if spec.domain in principal.domains and visible:
        return {"linked": [entity.name for entity in visible]}
    language = language_of(state)
    declined = Declined(rule="domain_not_permitted", params=(("domain", domain.names.in_locale(language)),))
    return {"linked": [], "outcome": encode_outcome(refusal_of(declined, RunId(state["run"]), language))}


def _may_read(principal: Principal, entity: Entity) -> bool:
    return principal.entities is None or entity.name in principal.entities
