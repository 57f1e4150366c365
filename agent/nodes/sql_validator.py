"""The guard: every rule on every query, whoever wrote it."""

from dataclasses import replace

from agent.codec import encode
from agent.deps import Deps
from agent.errors import QueryFailed
from agent.reading import domain_of, today_of
from agent.sql.guard import check_query
from agent.sql.scope import scope_for
from agent.sql.sensitivity import sensitive_metrics_of
from agent.state import RunState, spec_of
from agent.values.governance import CheckedQuery, Finding, Refused, RuleId


async def sql_validator(state: RunState, deps: Deps) -> RunState:
    """The checked query, with row rules and row limit in it; or the findings that refuse it."""
    verdict = check_for(state, deps)
    if isinstance(verdict, CheckedQuery) and verdict.origin in ("model", "edited"):
        verdict = await _planned(verdict, deps)
    if isinstance(verdict, Refused):
        return {"query": None, "findings": encode(verdict.findings)}
    return {"query": encode(verdict), "findings": []}


async def _planned(query: CheckedQuery, deps: Deps) -> CheckedQuery | Refused:
    """Written SQL may pass every rule and still add text to numbers: only the engine's planner tells."""
    try:
        await deps.warehouses.of(query.domain).estimate(query)
    except QueryFailed as error:
        params = (("error", error.detail),)
        return Refused(findings=(Finding(rule=RuleId.NOT_RUNNABLE, severity="refuse", params=params, security=False),))
    return query


def check_for(state: RunState, deps: Deps) -> CheckedQuery | Refused:
    """The guard's verdict on the run's SQL under the principal, the policy and the catalog of this moment."""
    principal = deps.principal(state["asker"])
    domain, spec = domain_of(state, deps), spec_of(state)
    scope = scope_for(domain, principal, deps.catalog_now().version)
    checked = check_query(state["sql"], scope, origin=state["origin"], today=today_of(deps))
    if spec is None or isinstance(checked, Refused):
        return checked
    return replace(checked, sensitive_metrics=sensitive_metrics_of(spec, domain))
