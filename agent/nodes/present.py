"""Last step of a run: the outcome as the person gets it."""

from dataclasses import replace

from agent.analysis.next_steps import drills, other_charts
from agent.analysis.suggest import suggest, suggest_elsewhere
from agent.deps import Deps
from agent.reading import today_of
from agent.rows import analysed_rows
from agent.state import RunState, decode_outcome, encode_outcome
from agent.values.outcome import Answer, NoData
from agent.values.spec import QuerySpec
from semantic_catalog.model import Domain


async def present(state: RunState, deps: Deps) -> RunState:
    """The outcome, with follow-up questions that run as they stand where there is something to follow up on."""
    outcome = decode_outcome(state["outcome"])
    if not isinstance(outcome, Answer | NoData) or outcome.spec is None:
        return {"outcome": state["outcome"]}
    domain = deps.catalog_now().domain(outcome.spec.domain)
    near = suggest if _found_something(outcome) else suggest_elsewhere
    spec = outcome.spec
    suggestions = near(spec, domain, outcome.locale, today_of(deps))
    outcome = replace(outcome, suggestions=suggestions)
    if isinstance(outcome, Answer) and (outcome.chart is None or not outcome.chart.intervals):
        outcome = await _with_next_steps(outcome, spec, domain, deps)
    return {"outcome": encode_outcome(outcome)}


async def _with_next_steps(answer: Answer, spec: QuerySpec, domain: Domain, deps: Deps) -> Answer:
    """The answer with what its buttons offer of its own rows."""
    table, locale = await analysed_rows(answer.result, deps), answer.locale
    return replace(
        answer,
        charts=other_charts(table, spec, domain, locale, answer.chart, answer.result.truncated),
        drills=drills(table, spec, domain, locale, today_of(deps)),
    )


def _found_something(outcome: Answer | NoData) -> bool:
    return isinstance(outcome, Answer) and all(doubt.key != "all_null" for doubt in outcome.verification.doubts)
