"""One question back, and the same card once it is answered."""

from dataclasses import replace
from typing import Final

from agent.values.outcome import Clarification
from agent.values.spec import Option
from agent.values.turn import CardAction
from agent.wording.texts import say
from cards.build.home import command_button
from cards.build.phrases import notice, small
from cards.elements import Actions, Button, Card, Paragraph, Span

_REMEMBERED: Final = ("metric", "dimension", "member")


def clarification_card(clarification: Clarification) -> Card:
    """The question, why it is asked, a button for each option with its one-line meaning, 'or write it'."""
    buttons = tuple(_button(option, clarification) for option in clarification.options)
    return Card(
        kind="clarification",
        elements=(
            _question(clarification),
            Actions(buttons=buttons, placeholder=clarification.question),
            small(say(clarification.locale, "card.or_write")),
        ),
        fallback=clarification.question,
        locale=clarification.locale,
    )


def clarified_card(clarification: Clarification, choice: str, by_name: str = "") -> Card:
    """The question with the choice kept. `choice` is an option's value (its label is shown) or what was written.

    What an option said of the asker's own words can be remembered.
    """
    locale = clarification.locale
    label = next((option.label for option in clarification.options if option.value == choice), choice)
    line = (
        say(locale, "card.chosen_by", choice=label, name=by_name)
        if by_name
        else say(locale, "card.chosen", choice=label)
    )
    return Card(
        kind="clarified",
        elements=(_question(clarification), notice("success", line), *_remember(clarification, choice)),
        fallback=line,
        locale=locale,
    )


def _question(clarification: Clarification) -> Paragraph:
    question = Span(text=clarification.question, bold=True)
    reason = (Span(text=f" {clarification.reason}"),) if clarification.reason else ()
    return Paragraph(spans=(question, *reason))


def _button(option: Option, clarification: Clarification) -> Button:
    action = CardAction(verb="choose", run=clarification.run, value=option.value)
    return Button(label=option.label, action=action, hint=option.description)


def _remember(asked: Clarification, choice: str) -> tuple[Actions, ...]:
    """The offer to remember it, for a word of the asker that an option explained."""
    option = next((option for option in asked.options if choice in (option.value, option.label)), None)
    if option is None or not asked.words or asked.slot not in _REMEMBERED:
        return ()
    button = command_button(say(asked.locale, "command.remember_choice"), f"remember_this {asked.run}", asked.locale)
    hint = say(asked.locale, "command.remember_hint", words=asked.words, choice=option.label)
    return (Actions(buttons=(replace(button, hint=hint),)),)
