"""The line of a turn that waits for its moment."""

from agent.values.identity import RunId
from agent.values.turn import CardAction
from agent.wording.texts import say
from cards.elements import Actions, Button, Card, Element, Paragraph, Span
from semantic_catalog.model import Locale


def queued_card(run: RunId, locale: Locale, before: int, event: str = "") -> Card:
    """'Queued, 3 before you', with Stop where `event` names a turn that its author may take back."""
    told = say(locale, "progress.queued_before", count=before) if before else say(locale, "progress.queued_next")
    return _line(told, locale, _stop(run, locale, event) if event else ())


def no_longer_queued_card(locale: Locale) -> Card:
    """What is left of that line where the turn ended without an outcome of its own."""
    return _line(say(locale, "progress.queued_no_longer"), locale)


def stands_elsewhere_card(locale: Locale) -> Card:
    """What is left of a message of work whose outcome stands in another one."""
    return _line(say(locale, "progress.stands_elsewhere"), locale)


def _stop(run: RunId, locale: Locale, event: str) -> tuple[Element, ...]:
    action = CardAction(verb="cancel", run=run, value=event)
    return (Actions(buttons=(Button(label=say(locale, "button.stop"), action=action),)),)


def _line(told: str, locale: Locale, below: tuple[Element, ...] = ()) -> Card:
    paragraph = Paragraph(spans=(Span(text=told, bold=True),))
    return Card(kind="progress", elements=(paragraph, *below), fallback=told, locale=locale)
