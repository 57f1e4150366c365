"""SQL and result columns, compiled from the spec over the cheapest source not yet tried."""

from dataclasses import replace

from agent.codec import encode
from agent.deps import Deps
from agent.reading import today_of
from agent.sql.compile.compile import compile_spec
from agent.state import RunState, language_of, read
from agent.values.identity import RunId
from agent.values.spec import QuerySpec
from semantic_catalog.model import EntityName


async def sql_generator(state: RunState, deps: Deps) -> RunState:
    """The SQL as text in the domain's dialect: what is shown is what the guard reads."""
    await deps.progress.step(RunId(state["run"]), "checking_sql")
    spec = read(state, "spec", QuerySpec)
    domain = deps.catalog_now().domain(spec.domain)
    source = spec.entity or EntityName(state["linked"][state.get("attempts", 0)])
    compiled = compile_spec(replace(spec, entity=source), domain, language_of(state), today_of(deps))
    sql = compiled.tree.sql(dialect=domain.dialect, pretty=True)
    return {"sql": sql, "columns": encode(compiled.columns)}
