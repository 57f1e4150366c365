"""What the audit log keeps of a run: what was understood, proposed, run and answered; never rows, never words."""

from typing import Any

from agent.state import RunState
from agent.values.outcome import Answer, Clarification, Failure, NoData, Outcome, Proposal, Refusal, Rejected, Reply
from agent.values.run_event import RunEvent as RunEvent
from bot.driver import RunStop

BOT = "bot"
_ENDINGS = {"reject": "rejected", "cancel": "cancelled", "expire": "expired"}


def events_of(stop: RunStop) -> tuple[RunEvent, ...]:
    """What happened up to where a run stopped, in order."""
    return (*_understood(stop.state), *_ran(stop.state), *_turned_back(stop.outcome), event_of(stop.outcome))


def event_of(outcome: Outcome) -> RunEvent:
    """The event of an outcome. Every kind of end has a name of its own."""
    match outcome:
        case Proposal():
            return _proposed(outcome)
        case Clarification():
            facts = {"slot": outcome.slot, "round": outcome.round}
            return RunEvent(name="asked_back", by=BOT, facts=facts, once=f"asked_back:{outcome.round}")
        case _:
            name, facts = _ending(outcome)
            return RunEvent(name=name, by=BOT, facts=facts, once="end")


def delayed_event(failure: Outcome) -> RunEvent:
    """A failure that passes by itself: the run goes on later."""
    code = failure.code if isinstance(failure, Failure) else ""
    return RunEvent(name="delayed", by=BOT, facts={"code": code}, once=f"delayed:{code}")


def _ending(outcome: Answer | Reply | Refusal | Rejected | NoData | Failure) -> tuple[str, dict[str, Any]]:
    match outcome:
        case Answer():
            facts = {"fingerprint": outcome.query.fingerprint, "rows": outcome.result.row_count}
            return "answered", {**facts, "approved_by": outcome.approved_by}
        case NoData():
            return "no_data", {"fingerprint": outcome.query.fingerprint, "approved_by": outcome.approved_by}
        case Refusal():
            return "refused", {"rule": outcome.rule}
        case Rejected():
            return _ENDINGS.get(outcome.kind, "superseded"), {}
        case Failure():
            return "failed", {"code": outcome.code}
        case Reply():
            return "replied", {}


def _proposed(proposal: Proposal) -> RunEvent:
    facts = {
        "fingerprint": proposal.fingerprint,
        "revision": proposal.revision,
        "origin": proposal.query.origin,
        "sources": list(proposal.query.sources),
        "tier": proposal.risk.tier,
        "risk": proposal.risk.level,
        "plan_cost": proposal.estimate.plan_cost,
    }
    return RunEvent(name="proposed", by=proposal.asked_by, facts=facts, once=f"proposed:{proposal.revision}")


def _turned_back(outcome: Outcome) -> tuple[RunEvent, ...]:
    """A change that a rule forbids: the proposal before it stands again."""
    if not isinstance(outcome, Proposal) or not outcome.turned_down:
        return ()
    facts = {"rule": outcome.turned_down, "revision": outcome.revision}
    return (RunEvent(name="refused", by=BOT, facts=facts, once=f"refused:{outcome.revision}"),)


def _understood(state: RunState) -> tuple[RunEvent, ...]:
    meaning = state.get("understanding")
    if not meaning:
        return ()
    keys = ("domain", "relation", "turn_type", "language", "confidence", "source")
    round_number = state.get("rounds", 0)
    facts = {**{key: meaning.get(key) for key in keys}, "round": round_number}
    return (RunEvent(name="understood", by=BOT, facts=facts, once=f"understood:{round_number}"),)


def _ran(state: RunState) -> tuple[RunEvent, ...]:
    """Whose rows answer: of a query that this run ran, or of an earlier one of the asker's that was the same.

    A redrawn chart takes another run's rows and is neither.
    """
    result, signature, query = state.get("result"), state.get("signature"), state.get("query")
    if result and signature and query and state.get("reused"):
        facts = {"fingerprint": query["fingerprint"], "tier": signature["tier"], "rows": result["row_count"]}
        facts |= {"fetched_by": result["run"], "fetched_at": state["reused"]["fetched_at"]}
        return (RunEvent(name="reused", by=signature["by"], facts=facts, once="ran"),)
    if not result or not signature or not query or result["run"] != state["run"]:
        return ()
    facts = {
        "fingerprint": query["fingerprint"],
        "tier": signature["tier"],
        "rows": result["row_count"],
        "seconds": state.get("seconds"),
    }
    return (RunEvent(name="ran", by=signature["by"], facts=facts, once="ran"),)
