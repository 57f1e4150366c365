"""The card of a question that is not permitted."""

from agent.values.outcome import Refusal
from cards.build.phrases import notice, paragraph, suggestion_buttons
from cards.elements import Card


def refusal_card(refusal: Refusal) -> Card:
    """The rule in words, the next step, and questions that are permitted."""
    next_step = (paragraph(refusal.next_step),) if refusal.next_step else ()
    return Card(
        kind="refusal",
        elements=(
            notice("warning", refusal.message),
            *next_step,
            *suggestion_buttons(refusal.suggestions, refusal.run),
        ),
        fallback=refusal.message,
        locale=refusal.locale,
    )
