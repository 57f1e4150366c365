"""Small pieces of sentences that several cards share: people, quoted words, the time of day, rows of buttons."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from babel.dates import format_time
from babel.lists import format_list

from agent.values.identity import RunId
from agent.values.outcome import Suggestion
from agent.values.turn import CardAction
from agent.wording.texts import say
from cards.elements import Actions, Bullets, Button, Element, Notice, Paragraph, Small, Span, Tone
from semantic_catalog.model import Locale

NAMES_SHOWN: Final = 3
SUGGESTIONS_SHOWN: Final = 3


def either_of(names: Sequence[str], locale: Locale) -> str:
    """'Ana, Luis or Pia'; of more than `NAMES_SHOWN` names the rest is a number. `names` is not empty."""
    if len(names) > NAMES_SHOWN:
        shown = ", ".join(names[:NAMES_SHOWN])
        return say(locale, "card.more_people", names=shown, count=len(names) - NAMES_SHOWN)
    return format_list(list(names), style="or", locale=locale)


def quoted(words: Sequence[str], locale: Locale) -> str:
    """'“premium”, “vip”', with the quotation marks of the language."""
    return ", ".join(say(locale, "card.quoted", text=word) for word in words)


def time_of_day(at: datetime, timezone: str, locale: Locale) -> str:
    """The wall clock of `timezone` at the aware instant `at`: '10:02'."""
    return format_time(at.astimezone(ZoneInfo(timezone)), "HH:mm", locale=locale)


def paragraph(text: str, bold: bool = False) -> Paragraph:
    """One span of text as a paragraph."""
    return Paragraph(spans=(Span(text=text, bold=bold),))


def small(text: str) -> Small:
    """Small print."""
    return Small(spans=(Span(text=text),))


def notice(tone: Tone, text: str) -> Notice:
    """A line to be seen first."""
    return Notice(tone=tone, spans=(Span(text=text),))


def bullets(texts: Sequence[str], *, numbered: bool = False) -> tuple[Element, ...]:
    """A list, or nothing for no texts."""
    return (Bullets(items=tuple((Span(text=text),) for text in texts), numbered=numbered),) if texts else ()


def suggestion_buttons(suggestions: Sequence[Suggestion], run: RunId) -> tuple[Element, ...]:
    """At most `SUGGESTIONS_SHOWN` follow-up questions that are asked by a press, or nothing."""
    buttons = tuple(
        Button(label=item.label, action=CardAction(verb="ask", run=run, value=item.question))
        for item in suggestions[:SUGGESTIONS_SHOWN]
    )
    return (Actions(buttons=buttons),) if buttons else ()
