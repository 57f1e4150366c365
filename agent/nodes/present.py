"""Last step of a run: the outcome as the person gets it."""

from dataclasses import replace

from agent.analysis.suggest import suggest, suggest_elsewhere
from agent.deps import Deps
from agent.reading import today_of
from agent.state import RunState, decode_outcome, encode_outcome
from agent.values.outcome import Answer, NoData


async def present(state: RunState, deps: Deps) -> RunState:
    """The outcome, with follow-up questions that run as they stand where there is something to follow up on."""
    outcome = decode_outcome(state["outcome"])
    if not isinstance(outcome, Answer | NoData) or outcome.spec is None:
        return {"outcome": state["outcome"]}
    domain = deps.catalog_now().domain(outcome.spec.domain)
    near = suggest if _found_something(outcome) else suggest_elsewhere
    suggestions = near(outcome.spec, domain, outcome.locale, today_of(deps))
    return {"outcome": encode_outcome(replace(outcome, suggestions=suggestions))}


def _found_something(outcome: Answer | NoData) -> bool:
    return isinstance(outcome, Answer) and all(doubt.key != "all_null" for doubt in outcome.verification.doubts)
