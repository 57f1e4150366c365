"""The card of a question that could not be answered."""

from agent.values.outcome import Failure
from agent.values.turn import CardAction
from agent.wording.texts import say
from cards.build.phrases import notice, small
from cards.elements import Actions, Button, Card, Element


def failure_card(failure: Failure) -> Card:
    """What was not done, a reference for the operator, and Retry where that may help."""
    return Card(
        kind="failure",
        elements=(
            notice("danger", failure.message),
            small(say(failure.locale, "card.reference", reference=failure.reference)),
            *_retry(failure),
        ),
        fallback=failure.message,
        locale=failure.locale,
    )


def _retry(failure: Failure) -> tuple[Element, ...]:
    if not failure.may_retry:
        return ()
    action = CardAction(verb="retry", run=failure.run)
    return (Actions(buttons=(Button(label=say(failure.locale, "button.retry"), action=action),)),)
