"""Where Teams takes messages for a conversation: the `address` of a turn."""

import json
from dataclasses import dataclass
from typing import Literal

from pydantic import ValidationError

from adapters.channels.teams.thread_ids import split_conversation
from agent.codec import decode, encode
from cards.errors import DeliveryRefused
from semantic_catalog.model import Locale

Scope = Literal["dm", "group", "channel"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamsAddress:
    """A conversation as the Bot Connector knows it. `conversation_id` names the thread in a channel.

    `team` and `group` are the channel's team and the Microsoft 365 group behind it, where Teams tells them.
    `is_answered` tells that its turn was a click whose answer reached its author already, `is_quiet` that this answer
    said all there is to say to them.
    """

    service_url: str
    conversation_id: str
    scope: Scope
    bot_id: str
    bot_name: str = ""
    locale: Locale | None = None
    is_answered: bool = False
    is_quiet: bool = False
    team: str = ""
    group: str = ""

    @property
    def conversation(self) -> str:
        """The conversation without its thread."""
        return split_conversation(self.conversation_id)[0]


def write_address(address: TeamsAddress) -> str:
    """The address as text that `read_address` reads back."""
    return json.dumps(encode(address), ensure_ascii=False, separators=(",", ":"))


def read_address(text: str) -> TeamsAddress:
    """The address that `write_address` wrote. Raises `DeliveryRefused` for anything else: there is nowhere to post."""
    try:
        return decode(TeamsAddress, json.loads(text))
    except (ValueError, ValidationError) as error:
        raise DeliveryRefused("the delivery address is not of Teams") from error
