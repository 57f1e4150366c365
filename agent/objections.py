"""Whether a query that a change leads to may be proposed: asked before the version at hand is given up."""

from dataclasses import dataclass

from agent.deps import Deps
from agent.errors import QueryFailed, QueryTimeout
from agent.nodes.sql_validator import check_for
from agent.sql.decide import assess
from agent.state import RunState, language_of
from agent.values.governance import CheckedQuery, CostEstimate, Finding, Refused
from agent.wording.texts import say
from semantic_catalog.model import Locale


@dataclass(frozen=True, slots=True, kw_only=True)
class Objection:
    """Why a query may not be proposed: the rule, and the reason in the asker's language."""

    rule: str
    message: str
    security: bool = False


async def objection_to(state: RunState, deps: Deps) -> Objection | None:
    """What the guard, the engine or the caps say against the state's SQL; None when nothing."""
    checked = check_for(state, deps)
    language = language_of(state)
    if isinstance(checked, Refused):
        return _of(checked.findings[0], language)
    try:
        estimate = await deps.warehouses.of(checked.domain).estimate(checked)
    except (QueryFailed, QueryTimeout) as error:
        return Objection(rule=error.code, message=say(language, "approval.refused_by_engine"))
    return _over_caps(state, deps, checked, estimate)


def _over_caps(state: RunState, deps: Deps, checked: CheckedQuery, estimate: CostEstimate) -> Objection | None:
    verdict = assess(checked, estimate, deps.principal(state["asker"]), deps.policy_now(), deps.clock.now())
    return _of(verdict.findings[0], language_of(state)) if isinstance(verdict, Refused) else None


def _of(finding: Finding, language: Locale) -> Objection:
    message = say(language, f"refusal.{finding.rule}", **dict(finding.params))
    return Objection(rule=finding.rule.value, message=message, security=finding.security)
