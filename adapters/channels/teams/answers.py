"""What an Action.Execute is answered with, in Teams' words."""

from typing import Any, Final

from adapters.channels.teams.adapter import InvokeAnswer
from agent.wording.texts import say
from cards.elements import Acknowledgement
from cards.render.adaptive import render_adaptive
from semantic_catalog.model import Locale

CARD_TYPE: Final = "application/vnd.microsoft.card.adaptive"
_MESSAGE_TYPE: Final = "application/vnd.microsoft.activity.message"
_ERROR_TYPE: Final = "application/vnd.microsoft.error"
_OK: Final = 200
_BAD_REQUEST: Final = 400


def acknowledged(said: Acknowledgement, locale: Locale) -> InvokeAnswer:
    """The card for the person who clicked, or private words to them."""
    if said.card is not None:
        return _answer(CARD_TYPE, render_adaptive(said.card))
    return noticed(said.notice or say(locale, "teams.received"))


def noticed(words: str) -> InvokeAnswer:
    """Private words to the person who clicked."""
    return _answer(_MESSAGE_TYPE, words)


def not_read() -> InvokeAnswer:
    """The click is none that a card of ours sends."""
    return _answer(_ERROR_TYPE, {"code": "BadRequest", "message": "not an Action.Execute"}, _BAD_REQUEST)


def _answer(kind: str, value: Any, status: int = _OK) -> InvokeAnswer:
    return InvokeAnswer(body={"statusCode": status, "type": kind, "value": value})
