"""A query that the guard turned down: another governed source where that can mend it, else a refusal in words."""

from agent.deps import Deps
from agent.reading import refusal_of
from agent.state import RunState, encode_outcome, language_of, read
from agent.values.governance import Finding
from agent.values.identity import RunId
from agent.values.spec import Declined


async def error_handler(state: RunState, deps: Deps) -> RunState:
    """Counts the attempt and clears the findings, or ends in a refusal. A security finding is never retried."""
    findings = read(state, "findings", tuple[Finding, ...])
    attempts = state.get("attempts", 0) + 1
    exhausted = attempts >= min(deps.max_attempts, len(state["linked"]))
    if exhausted or any(finding.security for finding in findings):
        first = findings[0]
        declined = Declined(rule=first.rule.value, params=first.params)
        refusal = refusal_of(declined, RunId(state["run"]), language_of(state))
        return {"attempts": attempts, "outcome": encode_outcome(refusal)}
    return {"attempts": attempts, "findings": []}
