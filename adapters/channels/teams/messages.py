"""Messages to Teams. Words and a card never share one: Teams would split it and tell no id."""

from collections.abc import Mapping
from typing import Any

from botbuilder.schema import Activity, ActivityTypes, Attachment, TextFormatTypes
from microsoft_teams.cards import core

from adapters.channels.teams.activities import UploadInfo
from adapters.channels.teams.answers import CARD_TYPE
from agent.wording.texts import say
from cards import elements
from cards.render.adaptive import render_adaptive
from cards.render.adaptive_json import card_json
from semantic_catalog.model import Locale

_CONSENT_TYPE = "application/vnd.microsoft.teams.card.file.consent"
_INFO_TYPE = "application/vnd.microsoft.teams.card.file.info"


def card_message(card: elements.Card, pictures: Mapping[str, str]) -> Any:
    """A card; its one line is what notifications show."""
    return _attached(CARD_TYPE, render_adaptive(card, pictures), summary=card.fallback)


def text_message(words: str) -> Any:
    """Plain words, in which nothing is markup."""
    return Activity(type=ActivityTypes.message, text=words, text_format=TextFormatTypes.plain)


def consent_message(file: elements.Attachment, context: Mapping[str, str], locale: Locale) -> Any:
    """Asks a person for leave to put the file into their OneDrive."""
    content = {
        "description": say(locale, "teams.file_description", title=file.title),
        "sizeInBytes": len(file.content),
        "acceptContext": dict(context),
        "declineContext": dict(context),
    }
    return _attached(_CONSENT_TYPE, content, name=file.name)


def uploaded_message(info: UploadInfo, name: str) -> Any:
    """The file where it now lies."""
    content = {"uniqueId": info.unique_id, "fileType": info.file_type}
    return _attached(_INFO_TYPE, content, name=name, content_url=info.content_url)


def link_message(file: elements.Attachment, url: str, locale: Locale) -> Any:
    """A button that downloads the file."""
    words = say(locale, "teams.file_link", title=file.title)
    card = core.AdaptiveCard(
        version="1.5",
        lang=locale,
        fallback_text=words,
        body=[core.RichTextBlock(inlines=[core.TextRun(text=words)])],
        actions=[core.OpenUrlAction(title=say(locale, "teams.download"), url=url)],
    )
    return _attached(CARD_TYPE, card_json(card), summary=words)


def _attached(kind: str, content: Mapping[str, Any], *, summary: str = "", **file: str) -> Any:
    attachment = Attachment(content_type=kind, content=content, **file)
    return Activity(type=ActivityTypes.message, summary=summary or None, attachments=[attachment])
