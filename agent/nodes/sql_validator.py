"""The guard: every rule on every query, whoever wrote it."""

from agent.codec import encode
from agent.deps import Deps
from agent.reading import today_of
from agent.sql.guard import check_query
from agent.sql.scope import scope_for
from agent.state import RunState, read
from agent.values.governance import CheckedQuery, Refused
from agent.values.spec import QuerySpec


async def sql_validator(state: RunState, deps: Deps) -> RunState:
    """The checked query, with row rules and row limit in it; or the findings that refuse it."""
    verdict = check_for(state, deps)
    if isinstance(verdict, Refused):
        return {"query": None, "findings": encode(verdict.findings)}
    return {"query": encode(verdict), "findings": []}


def check_for(state: RunState, deps: Deps) -> CheckedQuery | Refused:
    """The guard's verdict on the run's SQL under the principal, the policy and the catalog of this moment."""
    spec = read(state, "spec", QuerySpec)
    catalog = deps.catalog_now()
    principal = deps.principal(state["asker"])
    scope = scope_for(catalog.domain(spec.domain), principal, catalog.version)
    return check_query(state["sql"], scope, origin=state["origin"], today=today_of(deps))
