"""The card of a query that ran and found nothing."""

from agent.values.outcome import NoData
from agent.wording.texts import say
from cards.build.phrases import notice, small, suggestion_buttons
from cards.elements import Card


def no_data_card(no_data: NoData) -> Card:
    """What was looked for and is not there, the run, and questions that may find more."""
    return Card(
        kind="no_data",
        elements=(
            notice("info", no_data.message),
            small(say(no_data.locale, "card.run", run=no_data.run)),
            *suggestion_buttons(no_data.suggestions, no_data.run),
        ),
        fallback=no_data.message,
        locale=no_data.locale,
    )
