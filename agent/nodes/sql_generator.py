"""SQL: compiled from the spec over the cheapest source not yet tried, or written by a model where no spec will do."""

from dataclasses import replace

from agent.codec import encode
from agent.deps import Deps
from agent.errors import ModelError, ModelOverBudget, ModelUnavailable
from agent.fallback import compiled_instead
from agent.modelling.sql_writer import Repair, SqlRequest
from agent.reading import domain_of, today_of
from agent.receipts import title_of
from agent.spelling import as_stored
from agent.sql.compile.compile import compile_spec, render
from agent.state import RunState, language_of, read, spec_of, spent
from agent.stopping import unless_stopped_meanwhile
from agent.values.identity import RunId
from agent.values.memory import ThreadMemory
from agent.values.spec import QuerySpec
from agent.wording.budgets import model_left_out
from semantic_catalog.model import EntityName


async def sql_generator(state: RunState, deps: Deps) -> RunState:
    """The SQL as text in the domain's dialect: what is shown is what the guard reads."""
    await deps.progress.step(RunId(state["run"]), "checking_sql")
    spec = spec_of(state)
    return _compiled(spec, state, deps) if spec else await _written(state, deps)


def _compiled(spec: QuerySpec, state: RunState, deps: Deps) -> RunState:
    domain = domain_of(state, deps)
    compiled = compile_spec(_over_next_source(spec, state), domain, language_of(state), today_of(deps))
    return {"sql": render(compiled.tree, domain.dialect), "columns": encode(compiled.columns)}


def _over_next_source(spec: QuerySpec, state: RunState) -> QuerySpec:
    """The compiler's own choice first; after the guard turned that down, the linked sources one after another."""
    attempts = state.get("attempts", 0)
    return replace(spec, entity=EntityName(state["linked"][attempts])) if attempts else spec


async def _written(state: RunState, deps: Deps) -> RunState:
    """A model's SQL; its columns are known only once it has run. Without it, the nearest question that compiles."""
    try:
        writer = deps.models_now().writer
        if writer is None:
            raise ModelUnavailable("sql: no model is configured")
        asked = writer.write(_request(state, deps))
        written = await unless_stopped_meanwhile(RunId(state["run"]), deps.stops, asked)
    except ModelError as error:
        over = error.overrun if isinstance(error, ModelOverBudget) else None
        instead = await compiled_instead(state, deps, *([model_left_out(over, language_of(state))] if over else ()))
        if instead is None:
            raise
        changed: RunState = {**state, **instead}
        spec = spec_of(changed)
        assert spec is not None
        return {**instead, **spent(state, error.usage), **_compiled(spec, changed, deps)}
    return {"columns": [], **await as_stored(written.sql, state, deps), **spent(state, written.usage)}


def _request(state: RunState, deps: Deps) -> SqlRequest:
    last = read(state, "memory", ThreadMemory).last
    return SqlRequest(
        question=state["text"],
        title=title_of(state, deps),
        domain=domain_of(state, deps),
        principal=deps.principal(state["asker"]),
        language=language_of(state),
        today=today_of(deps),
        earlier_sql=last.sql if last and last.asker == state["asker"] else "",
        repair=read(state, "repair", Repair) if state.get("repair") else None,
    )
