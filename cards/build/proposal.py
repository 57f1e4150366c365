"""The card that asks for a countersignature."""

from difflib import unified_diff

from agent.values.governance import CostEstimate
from agent.values.outcome import Proposal
from agent.values.turn import ActionVerb, CardAction
from agent.wording.dates import instant
from agent.wording.numbers import count
from agent.wording.texts import say
from cards.build.phrases import bullets, either_of, notice, paragraph, quoted, small, suggestion_buttons
from cards.build.prompts import change_prompt, reject_prompt
from cards.elements import Actions, Button, Card, Code, Element, Facts, Fold, Heading
from semantic_catalog.model import Locale


def proposal_card(proposal: Proposal) -> Card:
    """What will be read, why and at what cost, with the buttons to decide. An approval carries the fingerprint."""
    who = _who_decides(proposal)
    return Card(
        kind="proposal",
        elements=(
            *_budget(proposal),
            *proposal_body(proposal),
            *suggestion_buttons(proposal.offers, proposal.run),
            _buttons(proposal),
            small(who),
        ),
        fallback=say(proposal.locale, "card.open_line", title=proposal.receipt.title, who=who),
        locale=proposal.locale,
    )


def proposal_body(proposal: Proposal) -> tuple[Element, ...]:
    """What the open and the decided card have in common: title, receipt, cost, SQL, what changed."""
    return (
        Heading(text=proposal.receipt.title),
        Facts(items=(*_receipt(proposal), *_care(proposal))),
        _sql(proposal),
        *_changes(proposal),
        *_difference(proposal),
    )


def _budget(proposal: Proposal) -> tuple[Element, ...]:
    """That the query may not run today."""
    return (notice("warning", proposal.budget_warning),) if proposal.budget_warning else ()


def _sql(proposal: Proposal) -> Fold:
    action = CardAction(verb="show_sql", run=proposal.run, value=str(proposal.revision))
    return Fold(
        title=say(proposal.locale, "card.sql"),
        elements=(Code(text=proposal.query.sql),),
        more=Button(label=say(proposal.locale, "button.show_sql"), action=action),
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
        *_tokens(proposal),
    )


def _tokens(proposal: Proposal) -> tuple[tuple[str, str], ...]:
    """Only where a language model takes part."""
    usage, locale = proposal.usage, proposal.locale
    if not usage.llm_calls and not proposal.tokens_to_come:
        return ()
    spent, to_come = count(usage.tokens_in + usage.tokens_out, locale), count(proposal.tokens_to_come, locale)
    return ((say(locale, "approval.tokens"), say(locale, "approval.tokens_spent", spent=spent, to_come=to_come)),)


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


def _difference(proposal: Proposal) -> tuple[Element, ...]:
    """The raw difference to the last revision's SQL, folded away."""
    if not proposal.previous_sql:
        return ()
    lines = unified_diff(proposal.previous_sql.splitlines(), proposal.query.sql.splitlines(), lineterm="", n=1)
    text = "\n".join(list(lines)[2:])
    return (Fold(title=say(proposal.locale, "approval.difference"), elements=(Code(text=text),)),) if text else ()


def _buttons(proposal: Proposal) -> Actions:
    locale = proposal.locale
    change = Button(
        label=say(locale, "approval.change"), action=_action("change", proposal), prompt=change_prompt(locale)
    )
    reject = Button(
        label=say(locale, "button.reject"),
        action=_action("reject", proposal),
        style="danger",
        prompt=reject_prompt(locale),
    )
    return Actions(buttons=(*_approvals(proposal), change, reject))


def _approvals(proposal: Proposal) -> tuple[Button, ...]:
    locale, days = proposal.locale, proposal.standing_days
    once = Button(label=say(locale, "button.approve"), action=_action("approve", proposal), style="primary")
    if not days:
        return (once,)
    label = say(locale, "approval.approve_always", count=days)
    return (once, Button(label=label, action=_action("approve_always", proposal)))


def _action(verb: ActionVerb, proposal: Proposal) -> CardAction:
    """Bound to what is shown: its SQL and its revision."""
    return CardAction(verb=verb, run=proposal.run, fingerprint=proposal.fingerprint, value=str(proposal.revision))


def _who_decides(proposal: Proposal) -> str:
    locale = proposal.locale
    until = instant(proposal.expires_at, proposal.timezone, locale)
    if not proposal.approvers:
        return say(locale, "card.nobody_decides", asker=proposal.asked_by_name, until=until)
    approvers = either_of(proposal.approvers, locale)
    return say(locale, "card.who_decides", asker=proposal.asked_by_name, approvers=approvers, until=until)
