"""The card of a proposal that is no longer open."""

from datetime import datetime
from typing import assert_never

from agent.values.governance import Decision
from agent.values.outcome import Clarification, Proposal, Rejected
from agent.wording.texts import say
from cards.build.phrases import notice, time_of_day
from cards.build.proposal import proposal_body
from cards.elements import Card, Tone
from semantic_catalog.model import Locale

_POLICY = "policy:"
_STANDING = "standing:"


def decided_card(proposal: Proposal, decision: Decision) -> Card:
    """The proposal's body without buttons; the first line says what was decided, by whom and when.

    A change means that a newer version replaced this one.
    """
    line = decision_line(decision, proposal.timezone, proposal.locale)
    return Card(
        kind="decided",
        elements=(notice(_tone(decision), line), *proposal_body(proposal)),
        fallback=say(proposal.locale, "card.decided_title", title=proposal.receipt.title, decision=line),
        locale=proposal.locale,
    )


def outdated_card(proposal: Proposal, decision: Decision, why: str) -> Card:
    """The card of a proposal that was approved and still did not run; `why` is the refusal in words."""
    locale = proposal.locale
    time = time_of_day(decision.at, proposal.timezone, locale)
    line = say(locale, "approval.not_run", name=decision.by_name or decision.by, time=time)
    return Card(
        kind="decided",
        elements=(notice("warning", f"{line} {why}"), *proposal_body(proposal)),
        fallback=say(locale, "card.decided_title", title=proposal.receipt.title, decision=line),
        locale=locale,
    )


def rejected_card(rejected: Rejected, timezone: str = "UTC") -> Card:
    """What became of a proposal, where its own card cannot be redrawn. Times are on the wall clock of `timezone`."""
    line = _ending_line(rejected, timezone)
    tone: Tone = "danger" if rejected.kind == "reject" else "info"
    return Card(kind="decided", elements=(notice(tone, line),), fallback=line, locale=rejected.locale)


def overtaken_card(waited: Proposal | Clarification, decision: Decision | None, at: datetime) -> Card:
    """What a run waited for, where that was over before it was shown: by the `decision` on it, if there is one.

    Without one a question back was taken back, and a proposal replaced.
    """
    if isinstance(waited, Proposal) and decision is not None and decision.revision == waited.revision:
        return decided_card(waited, decision)
    kind = "cancel" if isinstance(waited, Clarification) else "superseded"
    return rejected_card(Rejected(run=waited.run, locale=waited.locale, kind=kind, by_name="", at=at))


def decision_line(decision: Decision, timezone: str, locale: Locale) -> str:
    """'✓ Approved by Ana at 10:02', 'Rejected by Ana: “wrong period”', 'Expired' …"""
    name, time = decision.by_name or decision.by, time_of_day(decision.at, timezone, locale)
    match decision.kind:
        case "approve" if decision.by.startswith(_POLICY):
            policy = decision.by.removeprefix(_POLICY)
            return say(locale, "card.approved_by_policy", policy=policy, time=time)
        case "approve" if decision.by.startswith(_STANDING):
            return say(locale, "approval.approved_by_standing", name=decision.by.removeprefix(_STANDING), time=time)
        case "approve":
            return say(locale, "card.approved", name=name, time=time)
        case "reject":
            return _rejected_line(name, time, decision.text, locale)
        case "cancel":
            return say(locale, "card.cancelled_by", name=name)
        case "expire":
            return say(locale, "card.expired")
        case "change":
            return say(locale, "card.replaced")
        case _:
            assert_never(decision.kind)


def _ending_line(rejected: Rejected, timezone: str) -> str:
    locale = rejected.locale
    match rejected.kind:
        case "reject":
            time = time_of_day(rejected.at, timezone, locale)
            return _rejected_line(rejected.by_name, time, rejected.reason, locale)
        case "cancel" if rejected.by_name:
            return say(locale, "card.cancelled_by", name=rejected.by_name)
        case "expire":
            return say(locale, "card.expired")
        case "superseded" | "change":
            return say(locale, "card.replaced")
        case _:
            return say(locale, "card.cancelled")


def _rejected_line(name: str, time: str, reason: str, locale: Locale) -> str:
    if reason:
        return say(locale, "card.rejected_reason", name=name, reason=reason)
    return say(locale, "card.rejected", name=name, time=time)


def _tone(decision: Decision) -> Tone:
    match decision.kind:
        case "approve":
            return "success"
        case "reject":
            return "danger"
        case _:
            return "info"
