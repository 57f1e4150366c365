"""A run's status, as `ask --json` and the run store name it."""

from agent.values.outcome import (
    Answer,
    Clarification,
    Failure,
    NoData,
    Outcome,
    Proposal,
    Refusal,
    Rejected,
    Reply,
)

RUNNING = "running"
WAITING = frozenset({"awaiting_approval", "needs_clarification"})
ENDED = frozenset({"answered", "refused", "rejected", "no_data", "failed"})


def status_of(outcome: Outcome) -> str:
    """The status that an outcome gives its run."""
    match outcome:
        case Answer() | Reply():
            return "answered"
        case Proposal():
            return "awaiting_approval"
        case Clarification():
            return "needs_clarification"
        case Refusal():
            return "refused"
        case Rejected():
            return "rejected"
        case NoData():
            return "no_data"
        case Failure():
            return "failed"
