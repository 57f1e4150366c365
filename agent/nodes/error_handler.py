"""A query that was turned down: mended where that can help, else the nearest question, else a refusal in words."""

from agent.codec import encode
from agent.deps import Deps
from agent.fallback import compiled_instead
from agent.modelling.sql_writer import Repair, is_mendable
from agent.reading import domain_of, refusal_of
from agent.state import RunState, encode_outcome, language_of, read
from agent.values.governance import Finding
from agent.values.identity import RunId
from agent.values.spec import Declined


async def error_handler(state: RunState, deps: Deps) -> RunState:
    """Counts the attempt and clears the findings, or ends in a refusal. A security finding is never retried.

    Compiled SQL is tried over another governed source; a model's goes back to it with the exact findings, and when it
    keeps failing the nearest question that can be compiled takes its place.
    """
    findings = read(state, "findings", tuple[Finding, ...])
    attempts = state.get("attempts", 0) + 1
    if state["origin"] == "model":
        return await _mended(state, deps, findings, attempts)
    exhausted = attempts >= min(deps.max_attempts, len(state["linked"]))
    if exhausted or state.get("spec") is None or any(finding.security for finding in findings):
        return _refused(state, findings, attempts)
    return {"attempts": attempts, "findings": []}


async def _mended(state: RunState, deps: Deps, findings: tuple[Finding, ...], attempts: int) -> RunState:
    domain = domain_of(state, deps)
    if not all(is_mendable(finding, domain) for finding in findings):
        return _refused(state, findings, attempts)
    if attempts < deps.max_attempts:
        repair = Repair(sql=state["sql"], findings=findings)
        return {"attempts": attempts, "findings": [], "repair": encode(repair)}
    return await compiled_instead(state, deps) or _refused(state, findings, attempts)


def _refused(state: RunState, findings: tuple[Finding, ...], attempts: int) -> RunState:
    first = findings[0]
    declined = Declined(rule=first.rule.value, params=first.params)
    refusal = refusal_of(declined, RunId(state["run"]), language_of(state))
    return {"attempts": attempts, "outcome": encode_outcome(refusal)}
