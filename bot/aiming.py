"""Which of the proposals that wait a typed message is about: the one it changes, none, or several."""

import re
from dataclasses import dataclass, replace
from datetime import datetime

from agent.pending import memory_of_pending
from agent.reading import today_of
from agent.understanding.earlier import as_seen_by
from agent.understanding.taking_back import asks_to_undo, leaves_topic
from agent.values.identity import Principal
from agent.values.memory import Question
from agent.values.outcome import Proposal, RunRecord
from agent.values.spec import QuerySpec, Understanding
from agent.values.turn import CardAction, Turn
from bot.run_desk import RunDesk

_EDITS = ("refine", "drill_down")
# A whole query, written by hand in place of the proposal's: '(SELECT …' or 'with …'.
_SQL = re.compile(r"\s*\(*\s*(?:select|with)\b.*\bfrom\b", re.IGNORECASE | re.DOTALL)
NEW_QUESTION = "new"
"""The value of the option 'none of these: a new question'."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """A waiting proposal, and what it would become; None where the message takes its last change back."""

    record: RunRecord
    proposal: Proposal
    meaning: Understanding | None


async def aims_of(turn: Turn, principal: Principal, desk: RunDesk, waiting: tuple[RunRecord, ...]) -> tuple[Aim, ...]:
    """The author's waiting proposals that the message can be a change of, the newest first; one where it says which.

    It is none where the author waits for an answer to a question of ours, where it says that it is about something
    else, and where their last answer is newer than the proposal: then it goes on from that.
    """
    own = [record for record in waiting if record.asker == principal.id]
    asked_back = any(r.status == "needs_clarification" and not is_choice_of_proposal(r) for r in own)
    if turn.kind != "message" or asked_back or leaves_topic(turn.text):
        return ()
    if not any(isinstance(record.pending, Proposal) for record in own):
        return ()
    answered = await _last_answer(turn, principal, desk)
    found = []
    for record in reversed(own):
        if isinstance(record.pending, Proposal) and (answered is None or await _touched(record, desk) > answered):
            aim = await _aim(turn, principal, record, record.pending, desk)
            found += [aim] if aim else []
    return _told_apart(tuple(found))


def is_choice_of_proposal(record: RunRecord) -> bool:
    """Whether the run only asks which waiting proposal a message is about."""
    return getattr(record.pending, "slot", "") == "relation"


def change_of(turn: Turn, proposal: Proposal, text: str) -> Turn:
    """The turn as a change of that proposal."""
    action = CardAction(
        verb="change",
        run=proposal.run,
        fingerprint=proposal.fingerprint,
        value=str(proposal.revision),
        text=text,
    )
    return replace(turn, kind="decision", action=action)


def change_again(turn: Turn, record: RunRecord) -> Turn:
    """The turn as the change that it has begun to make of that run."""
    return replace(turn, kind="decision", action=CardAction(verb="change", run=record.run, text=turn.text))


async def _last_answer(turn: Turn, principal: Principal, desk: RunDesk) -> datetime | None:
    last = as_seen_by(await desk.deps.memory.load(turn.thread), principal.id).last
    return last.finished_at if last is not None and last.asker == principal.id else None


async def _touched(record: RunRecord, desk: RunDesk) -> datetime:
    """When the proposal was last changed, else asked for."""
    decision = await desk.runs.decision(record.run)
    return max(record.created_at, decision.at) if decision is not None else record.created_at


async def _aim(turn: Turn, principal: Principal, record: RunRecord, proposal: Proposal, desk: RunDesk) -> Aim | None:
    if asks_to_undo(turn.text) or _SQL.match(turn.text):
        return Aim(record=record, proposal=proposal, meaning=None)
    if proposal.spec is None:
        return None
    meaning = await _meaning(turn, principal, record, proposal.spec, desk)
    edits = meaning.relation == "analytical_follow_up" and meaning.turn_type in _EDITS and meaning.spec is not None
    return Aim(record=record, proposal=proposal, meaning=meaning) if edits else None


async def _meaning(
    turn: Turn, principal: Principal, record: RunRecord, spec: QuerySpec, desk: RunDesk
) -> Understanding:
    now = desk.deps.clock.now()
    pending = memory_of_pending(turn.thread, record.run, record.asker, record.question, spec, record.locale, now)
    today = today_of(desk.deps)
    question = Question(
        text=turn.text,
        locale=turn.locale,
        today=today,
        memory=pending,
        rules_only=True,
        personal=await desk.deps.personal.of(principal.id, now),
    )
    return await desk.deps.interpreter.interpret(question, principal)


def _told_apart(found: tuple[Aim, ...]) -> tuple[Aim, ...]:
    """Of several, the one that the message names the subject of: whose metrics stay, or that alone it changes."""
    if len(found) < 2:
        return found
    for is_meant in (_is_changed, _keeps_metrics):
        meant = tuple(aim for aim in found if is_meant(aim))
        found = meant or found
        if len(found) == 1:
            return found
    return found


def _is_changed(aim: Aim) -> bool:
    """Whether anything of the proposal would change; what takes a change back needs one to take back."""
    if aim.meaning is None:
        return aim.proposal.revision > 1
    return aim.meaning.spec != aim.proposal.spec


def _keeps_metrics(aim: Aim) -> bool:
    spec, before = aim.meaning.spec if aim.meaning else None, aim.proposal.spec
    return spec is not None and before is not None and set(before.metrics) <= set(spec.metrics)
