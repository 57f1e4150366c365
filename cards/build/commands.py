"""What a command did, in a sentence, and the card that asks before everything of a person is deleted."""

from agent.values.personal import Forgotten
from agent.wording.texts import say
from cards.build.home import command_button
from cards.build.phrases import bullets, paragraph, small
from cards.elements import Actions, Button, Card, Heading
from semantic_catalog.model import Locale


def said_card(text: str, locale: Locale, *buttons: Button) -> Card:
    """One sentence, and what can be pressed after it."""
    actions = (Actions(buttons=buttons),) if buttons else ()
    return Card(kind="reply", elements=(paragraph(text), *actions), fallback=text, locale=locale)


def forget_me_card(locale: Locale) -> Card:
    """What would be deleted and what stays, with the button that does it."""
    title = say(locale, "command.forget_me_title")
    button = command_button(say(locale, "command.forget_me_yes"), "forget_me_yes", locale)
    elements = (
        Heading(text=title),
        *bullets([say(locale, "command.forget_me_goes"), say(locale, "command.forget_me_stays")]),
        Actions(buttons=(Button(label=button.label, action=button.action, style="danger"),)),
        small(say(locale, "command.forget_me_write")),
    )
    return Card(kind="reply", elements=elements, fallback=title, locale=locale)


def forgotten_card(gone: Forgotten, locale: Locale) -> Card:
    """What was deleted, and what stays."""
    text = say(
        locale,
        "command.forgotten_me",
        questions=gone.questions,
        results=gone.results,
        files=gone.files,
        memories=gone.memories,
        opinions=gone.opinions,
    )
    return said_card(text, locale)
