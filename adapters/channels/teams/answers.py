"""What an Action.Execute is answered with, in Teams' words."""

from collections.abc import Mapping
from typing import Any, Final

from adapters.channels.teams.adapter import InvokeAnswer
from agent.wording.texts import say
from cards.elements import Acknowledgement
from semantic_catalog.model import Locale

CARD_TYPE: Final = "application/vnd.microsoft.card.adaptive"
_MESSAGE_TYPE: Final = "application/vnd.microsoft.activity.message"
_ERROR_TYPE: Final = "application/vnd.microsoft.error"
_OK: Final = 200
_BAD_REQUEST: Final = 400
_NOT_FOUND: Final = 404


def carded(card: Mapping[str, Any]) -> InvokeAnswer:
    """The card for the person who clicked or looks."""
    return _answer(CARD_TYPE, dict(card))


def acknowledged(said: Acknowledgement, locale: Locale) -> InvokeAnswer:
    """Private words to the person who clicked."""
    return noticed(said.notice or say(locale, "teams.received"))


def noticed(words: str) -> InvokeAnswer:
    """Private words to the person who clicked."""
    return _answer(_MESSAGE_TYPE, words)


def not_read() -> InvokeAnswer:
    """The click is none that a card of ours sends."""
    return _answer(_ERROR_TYPE, {"code": "BadRequest", "message": "not an Action.Execute"}, _BAD_REQUEST)


def not_known() -> InvokeAnswer:
    """The card asks for a view of what is not known any more; it stays as it is."""
    return _answer(_ERROR_TYPE, {"code": "NotFound", "message": "nothing newer is known"}, _NOT_FOUND)


def _answer(kind: str, value: Any, status: int = _OK) -> InvokeAnswer:
    return InvokeAnswer(body={"statusCode": status, "type": kind, "value": value})
