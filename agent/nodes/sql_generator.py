"""SQL and result columns, compiled from the spec over the cheapest source not yet tried."""

from dataclasses import replace

from agent.codec import encode
from agent.deps import Deps
from agent.reading import today_of
from agent.sql.compile.compile import compile_spec, render
from agent.state import RunState, language_of, read
from agent.values.identity import RunId
from agent.values.spec import QuerySpec
from semantic_catalog.model import EntityName


async def sql_generator(state: RunState, deps: Deps) -> RunState:
    """The SQL as text in the domain's dialect: what is shown is what the guard reads."""
    await deps.progress.step(RunId(state["run"]), "checking_sql")
    spec = read(state, "spec", QuerySpec)
    domain = deps.catalog_now().domain(spec.domain)
    compiled = compile_spec(_over_next_source(spec, state), domain, language_of(state), today_of(deps))
    return {"sql": render(compiled.tree, domain.dialect), "columns": encode(compiled.columns)}


def _over_next_source(spec: QuerySpec, state: RunState) -> QuerySpec:
    """The compiler's own choice first; after the guard turned that down, the linked sources one after another."""
    attempts = state.get("attempts", 0)
    return replace(spec, entity=EntityName(state["linked"][attempts])) if attempts else spec
