"""One question from the shell: asked, decided as told, and reported."""

from dataclasses import dataclass
from typing import Literal

from agent.values.identity import ThreadKey
from agent.values.outcome import Answer, Outcome, Proposal
from agent.values.turn import CardAction
from bot.terminal.report import Asked
from bot.terminal.session import Session, Step
from semantic_catalog.errors import AskerError


class NobodyMayApprove(AskerError):
    """The policy names nobody who may approve this question."""

    code = "nobody_may_approve"


class NothingHappened(AskerError):
    """The turn moved no run: the click was turned down."""

    code = "turned_down"


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """What is done with a proposal; `by` names the role that decides (None: the asker, else who the policy names)."""

    kind: Literal["approve", "reject", "leave"]
    by: str | None = None
    reason: str = ""


async def ask_once(session: Session, question: str, *, role: str, thread: str, approval: Approval) -> Asked:
    """Ask, decide the proposal if there is one, and collect everything `--json` prints."""
    asked = await session.say(question, role, thread)
    outcome = _outcome(asked)
    timings = {"proposed" if isinstance(outcome, Proposal) else "answered": asked.milliseconds}
    if not isinstance(outcome, Proposal) or approval.kind == "leave":
        return await collected(session, asked, None, timings)
    decided = await decide(session, outcome, role=role, thread=thread, approval=approval)
    spent = decided.milliseconds
    # A comparison with a file asks a second question once the first is answered.
    while approval.kind == "approve" and isinstance(following := _outcome(decided), Proposal):
        outcome = following
        decided = await decide(session, outcome, role=role, thread=thread, approval=approval)
        spent += decided.milliseconds
    return await collected(session, decided, outcome, {**timings, "decided": spent})


async def decide(session: Session, proposal: Proposal, *, role: str, thread: str, approval: Approval) -> Step:
    """Press the proposal's button. Raises `NobodyMayApprove`."""
    verb: Literal["approve", "reject"] = "reject" if approval.kind == "reject" else "approve"
    decider = approval.by or (role if verb == "reject" else session.approver_of(proposal, role))
    if decider is None:
        raise NobodyMayApprove
    action = CardAction(verb=verb, run=proposal.run, fingerprint=proposal.fingerprint, text=approval.reason)
    return await session.press(action, decider, thread)


async def collected(session: Session, step: Step, proposal: Proposal | None, timings: dict[str, float]) -> Asked:
    """A step with its rows and the files that the terminal wrote for it."""
    outcome = _outcome(step)
    assert step.stop is not None
    files = session.channel.files_of(outcome.run)
    return Asked(
        thread=ThreadKey(step.turn.thread),
        outcome=outcome,
        state=step.stop.state,
        proposal=outcome if isinstance(outcome, Proposal) else proposal,
        table=await session.rows(outcome.result) if isinstance(outcome, Answer) else None,
        chart=files.get("chart"),
        workbook=files.get("workbook"),
        timings_ms=timings,
    )


def _outcome(step: Step) -> Outcome:
    if step.stop is None:
        raise NothingHappened
    return step.stop.outcome
