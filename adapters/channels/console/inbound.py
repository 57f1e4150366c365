"""Typed lines and pressed keys as turns."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from mimetypes import guess_type
from pathlib import Path
from typing import Final

from adapters.channels.console.thread_ids import console_thread
from agent.values.identity import ExternalUser, TenantId, UserId
from agent.values.turn import ActionVerb, Audience, CardAction, InboundFile, Turn
from cards.actions import turn_kind
from cards.elements import Actions, Button, Card

TENANT: Final = TenantId("local")
_LETTERS: Final[Mapping[ActionVerb, str]] = {"approve": "a", "reject": "r", "change": "c", "cancel": "x"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """Who typed, in which thread, when (aware, UTC), under which unique event id."""

    user: str
    thread: str
    event_id: str
    at: datetime


def keys_of(card: Card | None) -> dict[str, Button]:
    """The card's buttons by the key that presses them: a letter for a decision, 1, 2, 3 … for the rest."""
    keys: dict[str, Button] = {}
    number = 0
    for element in card.elements if card else ():
        for button in element.buttons if isinstance(element, Actions) else ():
            letter = _LETTERS.get(button.action.verb)
            number += letter is None
            keys[letter or str(number)] = button
    return keys


def line_to_turn(line: str, typed: Typed) -> Turn:
    """A typed line as a message."""
    return Turn(
        event_id=typed.event_id,
        channel="console",
        tenant=TENANT,
        thread=console_thread(typed.thread),
        author=_author(typed.user),
        audience=Audience(kind="dm"),
        kind="message",
        received_at=typed.at,
        text=line.strip(),
    )


def file_to_turn(path: Path, typed: Typed) -> Turn:
    """A file of this machine as a file given in the thread."""
    media_type, _ = guess_type(path.name)
    given = InboundFile(
        name=path.name, media_type=media_type or "application/octet-stream", size=path.stat().st_size, url=str(path)
    )
    return replace(line_to_turn("", typed), kind="file", files=(given,))


def action_to_turn(action: CardAction, typed: Typed) -> Turn:
    """A pressed button as a decision, a choice, a cancel or feedback."""
    return Turn(
        event_id=typed.event_id,
        channel="console",
        tenant=TENANT,
        thread=console_thread(typed.thread),
        author=_author(typed.user),
        audience=Audience(kind="dm"),
        kind=turn_kind(action),
        received_at=typed.at,
        action=action,
    )


def _author(user: str) -> ExternalUser:
    return ExternalUser(channel="console", tenant=TENANT, user_id=UserId(user))
