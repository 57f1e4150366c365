"""Access that somebody asks for: the button, and the card that reaches the data's owner."""

from agent.values.identity import RunId
from agent.values.turn import CardAction
from agent.wording.texts import say
from cards.build.phrases import paragraph
from cards.build.prompts import access_prompt
from cards.elements import Button, Card, Code, Element, Facts, Fold, Heading
from semantic_catalog.model import Locale


def access_button(run: RunId, locale: Locale) -> Button:
    """Asks for a reason and sends it with the question."""
    action = CardAction(verb="request_access", run=run)
    return Button(label=say(locale, "dialog.request_access"), action=action, prompt=access_prompt(locale))


def access_card(*, who: str, question: str, reason: str, sql: str, run: RunId, locale: Locale) -> Card:
    """Who asks, what they asked, why they need it, and the SQL where there is one. It grants nothing."""
    line = say(locale, "dialog.access_asked", name=who)
    facts = Facts(
        items=(
            (say(locale, "dialog.access_question"), question),
            (say(locale, "dialog.access_reason"), reason or say(locale, "dialog.access_no_reason")),
            (say(locale, "dialog.access_run"), run),
        )
    )
    code: tuple[Element, ...] = (Fold(title=say(locale, "card.sql"), elements=(Code(text=sql),)),) if sql else ()
    how = paragraph(say(locale, "dialog.access_how"))
    return Card(kind="notice", elements=(Heading(text=line), facts, *code, how), fallback=line, locale=locale)
