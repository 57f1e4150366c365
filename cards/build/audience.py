"""Cards about answers that stand with their asker alone."""

from dataclasses import replace

from agent.values.identity import RunId
from agent.values.turn import CardAction
from agent.wording.texts import say
from cards.build.phrases import paragraph, small
from cards.elements import Actions, Button, Card, Element
from semantic_catalog.model import Locale


def alone_card(card: Card, run: RunId, *, shareable: bool) -> Card:
    """The card as its asker alone gets it: with why, and with the button that shares it where that is allowed."""
    why = small(say(card.locale, "audience.only_you" if shareable else "audience.only_you_always"))
    return replace(card, elements=(why, *card.elements, *_share(card.locale, run, "audience.share_there", shareable)))


def apart_card(key: str, asker: str, run: RunId, locale: Locale, *, shareable: bool) -> Card:
    """What the conversation gets instead: that something was said elsewhere, and nothing of it."""
    text = say(locale, f"audience.{key}", asker=asker)
    elements = (paragraph(text), *_share(locale, run, "audience.share_here", shareable))
    return Card(kind="notice", elements=elements, fallback=text, locale=locale)


def shared_card(card: Card, asker: str) -> Card:
    """The answer in front of everybody, and who put it there."""
    return replace(card, elements=(*card.elements, small(say(card.locale, "audience.shared_by", asker=asker))))


def _share(locale: Locale, run: RunId, key: str, shareable: bool) -> tuple[Element, ...]:
    button = Button(label=say(locale, key), action=CardAction(verb="share", run=run))
    return (Actions(buttons=(button,)),) if shareable else ()
