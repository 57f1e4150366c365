"""The card that asks for a countersignature."""

from agent.values.governance import CostEstimate
from agent.values.outcome import Proposal
from agent.values.turn import CardAction
from agent.wording.dates import instant
from agent.wording.numbers import count
from agent.wording.texts import say
from cards.build.phrases import bullets, either_of, paragraph, quoted, small
from cards.build.prompts import reject_prompt
from cards.elements import Actions, Button, Card, Code, Element, Facts, Fold, Heading
from semantic_catalog.model import Locale


def proposal_card(proposal: Proposal) -> Card:
    """What will be read, why and at what cost, with the buttons to decide. An approval carries the fingerprint."""
    who = _who_decides(proposal)
    return Card(
        kind="proposal",
        elements=(*proposal_body(proposal), _buttons(proposal), small(who)),
        fallback=say(proposal.locale, "card.open_line", title=proposal.receipt.title, who=who),
        locale=proposal.locale,
    )


def proposal_body(proposal: Proposal) -> tuple[Element, ...]:
    """What the open and the decided card have in common: title, receipt, cost, SQL, what changed."""
    return (
        Heading(text=proposal.receipt.title),
        Facts(items=(*_receipt(proposal), *_care(proposal))),
        Fold(title=say(proposal.locale, "card.sql"), elements=(Code(text=proposal.query.sql),)),
        *_changes(proposal),
    )


def _receipt(proposal: Proposal) -> tuple[tuple[str, str], ...]:
    locale = proposal.locale
    said = {line.key for line in proposal.receipt.lines}
    lines = tuple((say(locale, f"receipt.{line.key}"), line.value) for line in proposal.receipt.lines)
    more = {
        "assumptions": " ".join(proposal.assumptions),
        "not_understood": quoted(proposal.unused_words, locale),
    }
    return lines + tuple(
        (say(locale, f"receipt.{key}"), text) for key, text in more.items() if text and key not in said
    )


def _care(proposal: Proposal) -> tuple[tuple[str, str], ...]:
    locale, risk = proposal.locale, proposal.risk
    level = say(locale, f"card.risk_{risk.level}")
    reasons = "; ".join(say(locale, f"risk.{reason}") for reason in risk.reasons)
    word = say(locale, "card.risk_with_reasons", level=level, reasons=reasons) if reasons else level
    return (
        (say(locale, "card.cost"), _cost(proposal.estimate, proposal.max_plan_cost, locale)),
        (say(locale, "card.risk"), word),
    )


def _cost(estimate: CostEstimate, cap: float, locale: Locale) -> str:
    figures = {
        "rows": count(estimate.max_node_rows, locale),
        "cost": count(estimate.plan_cost, locale),
        "cap": count(cap, locale),
    }
    many = estimate.max_node_rows
    if estimate.seconds is None:
        return say(locale, "card.cost_unknown_time", count=many, **figures)
    if estimate.seconds < 1:
        return say(locale, "card.cost_under_second", count=many, **figures)
    return say(locale, "card.cost_seconds", count=many, seconds=count(estimate.seconds, locale), **figures)


def _changes(proposal: Proposal) -> tuple[Element, ...]:
    if not proposal.changes:
        return ()
    return (paragraph(say(proposal.locale, "card.changed"), bold=True), *bullets(proposal.changes))


def _buttons(proposal: Proposal) -> Actions:
    locale = proposal.locale
    approve = CardAction(verb="approve", run=proposal.run, fingerprint=proposal.fingerprint)
    reject = CardAction(verb="reject", run=proposal.run, fingerprint=proposal.fingerprint)
    return Actions(
        buttons=(
            Button(label=say(locale, "button.approve"), action=approve, style="primary"),
            Button(label=say(locale, "button.reject"), action=reject, style="danger", prompt=reject_prompt(locale)),
        )
    )


def _who_decides(proposal: Proposal) -> str:
    locale = proposal.locale
    until = instant(proposal.expires_at, proposal.timezone, locale)
    if not proposal.approvers:
        return say(locale, "card.nobody_decides", asker=proposal.asked_by_name, until=until)
    approvers = either_of(proposal.approvers, locale)
    return say(locale, "card.who_decides", asker=proposal.asked_by_name, approvers=approvers, until=until)
