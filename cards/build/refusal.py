"""The card of a question that is not permitted."""

from typing import Final

from agent.values.outcome import Refusal
from cards.build.access import access_button
from cards.build.phrases import notice, paragraph, suggestion_buttons
from cards.elements import Actions, Card, Element

RULES_OF_RIGHTS: Final = frozenset(
    {
        "domain_not_permitted",
        "rows_not_permitted",
        "metric_restricted",
        "not_covered",
        "partly_not_covered",
        "needs_not_covered",
        "unknown_person",
    }
)
"""Rules that somebody could lift by giving access."""


def refusal_card(refusal: Refusal) -> Card:
    """The rule in words, the next step, and questions that are permitted."""
    next_step = (paragraph(refusal.next_step),) if refusal.next_step else ()
    return Card(
        kind="refusal",
        elements=(
            notice("warning", refusal.message),
            *next_step,
            *_access(refusal),
            *suggestion_buttons(refusal.suggestions, refusal.run),
        ),
        fallback=refusal.message,
        locale=refusal.locale,
    )


def _access(refusal: Refusal) -> tuple[Element, ...]:
    if refusal.rule not in RULES_OF_RIGHTS:
        return ()
    return (Actions(buttons=(access_button(refusal.run, refusal.locale),)),)
