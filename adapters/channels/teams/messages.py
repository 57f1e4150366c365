"""Messages to Teams. Words and a card never share one: Teams would split it and tell no id."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from botbuilder.schema import Activity, ActivityTypes, Attachment, TextFormatTypes
from microsoft_teams.cards import core

from adapters.channels.teams.activities import UploadInfo
from adapters.channels.teams.answers import CARD_TYPE
from adapters.channels.teams.entities import MOST_CITATIONS, AiEntity
from agent.wording.texts import say
from cards import elements
from cards.render.adaptive import PLAIN, Setting, render_adaptive
from cards.render.adaptive_json import card_json
from semantic_catalog.model import Locale

_CONSENT_TYPE: Final = "application/vnd.microsoft.teams.card.file.consent"
_INFO_TYPE: Final = "application/vnd.microsoft.teams.card.file.info"
_THUMBS: Final = ("thumbs_up", "thumbs_down")


def card_message(card: elements.Card, pictures: Mapping[str, str], setting: Setting = PLAIN) -> Any:
    """A card; its one line is what notifications show. What a model wrote is labelled, with what it rests on."""
    message = _attached(CARD_TYPE, render_adaptive(_marked(card), pictures, setting), summary=card.fallback)
    if card.is_model_written:
        message.entities = [AiEntity(card.citations)]
    return message


def rated_message(card: elements.Card, pictures: Mapping[str, str], setting: Setting = PLAIN) -> Any:
    """The same with Teams' own thumbs below it, in place of the card's."""
    message = card_message(_without_thumbs(card), pictures, setting)
    message.channel_data = {"feedbackLoop": {"type": "default"}}
    return message


def is_rated(card: elements.Card) -> bool:
    """Whether the card asks for an opinion."""
    return any(button.action.verb in _THUMBS for button in _buttons(card))


def text_message(words: str) -> Any:
    """Plain words, in which nothing is markup."""
    return Activity(type=ActivityTypes.message, text=words, text_format=TextFormatTypes.plain)


def consent_message(file: elements.Attachment, context: Mapping[str, str], locale: Locale) -> Any:
    """Asks a person for leave to put the file into their OneDrive."""
    content = {
        "description": say(locale, "teams.file_description", title=file.title),
        "sizeInBytes": file.size,
        "acceptContext": dict(context),
        "declineContext": dict(context),
    }
    return _attached(_CONSENT_TYPE, content, name=file.name)


def uploaded_message(info: UploadInfo, name: str) -> Any:
    """The file where it now lies."""
    content = {"uniqueId": info.unique_id, "fileType": info.file_type}
    return _attached(_INFO_TYPE, content, name=name, content_url=info.content_url)


def link_message(file: elements.Attachment, url: str, locale: Locale, button: str = "teams.download") -> Any:
    """A button that downloads the file, or does with it what `button` says."""
    words = say(locale, "teams.file_link", title=file.title)
    card = core.AdaptiveCard(
        version="1.5",
        lang=locale,
        fallback_text=words,
        body=[core.RichTextBlock(inlines=[core.TextRun(text=words)])],
        actions=[core.OpenUrlAction(title=say(locale, button), url=url)],
    )
    return _attached(CARD_TYPE, card_json(card), summary=words)


def _attached(kind: str, content: Mapping[str, Any], *, summary: str = "", **file: str) -> Any:
    attachment = Attachment(content_type=kind, content=content, **file)
    return Activity(type=ActivityTypes.message, summary=summary or None, attachments=[attachment])


def _marked(card: elements.Card) -> elements.Card:
    """The model's paragraph refers to what it rests on: `[1]`."""
    first = next((part for part in card.elements if isinstance(part, elements.Paragraph)), None)
    if not card.is_model_written or not card.citations or first is None:
        return card
    marks = "".join(f" [{number}]" for number in range(1, min(len(card.citations), MOST_CITATIONS) + 1))
    marked = replace(first, spans=(*first.spans, elements.Span(text=marks)))
    return replace(card, elements=tuple(marked if part is first else part for part in card.elements))


def _without_thumbs(card: elements.Card) -> elements.Card:
    kept = (
        replace(part, buttons=tuple(each for each in part.buttons if each.action.verb not in _THUMBS))
        if isinstance(part, elements.Actions)
        else part
        for part in card.elements
    )
    return replace(card, elements=tuple(kept))


def _buttons(card: elements.Card) -> tuple[elements.Button, ...]:
    rows = (part.buttons for part in card.elements if isinstance(part, elements.Actions))
    return tuple(button for row in rows for button in row)
