"""The nearest question that can be compiled, where a model's SQL could not be had."""

from dataclasses import replace

from agent.codec import encode
from agent.deps import Deps
from agent.nodes.schema_linker import schema_linker
from agent.state import RunState, read
from agent.values.spec import Assumption, Understanding


async def compiled_instead(state: RunState, deps: Deps, *why: Assumption) -> RunState | None:
    """The update that goes on with the compiled question and says so, and `why`; None when there is none that may be
    read.
    """
    understanding = read(state, "understanding", Understanding)
    if understanding.free_sql is None or understanding.spec is None:
        return None
    said = Assumption(key="model_sql_dropped", params=(("asked", understanding.free_sql.title),))
    kept = (each for each in understanding.assumptions if each.key != "model_wrote_sql")
    meaning = replace(understanding, free_sql=None, assumptions=(said, *why, *kept))
    changed: RunState = {
        "understanding": encode(meaning),
        "spec": encode(understanding.spec),
        "origin": "compiled",
        "attempts": 0,
        "repair": None,
        "findings": [],
    }
    linked = await schema_linker({**state, **changed}, deps)
    return None if linked.get("outcome") else {**changed, **linked}
