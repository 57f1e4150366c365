"""Long replies that grow before the reader's eyes, in personal chats."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import structlog
from botbuilder.schema import Activity, ActivityTypes, TextFormatTypes

from adapters.channels.teams.adapter import TeamsAdapter
from adapters.channels.teams.addresses import TeamsAddress
from adapters.channels.teams.entities import AiEntity, StreamInfo
from agent.wording.texts import say
from cards.elements import Actions, Card, Paragraph
from cards.errors import DeliveryRefused, DeliveryUnavailable
from cards.render.clean import clean
from cards.render.text import plain

LONG_CHARACTERS: Final = 700
"""A reply of more words than that is streamed."""

MOST_CHUNKS: Final = 4
_MOST_CHARACTERS: Final = 12_000

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Streams:
    """Streams a reply's words, one step every `pause` seconds. What Teams does not take is posted in full instead."""

    adapter: TeamsAdapter
    pause: float

    async def post(self, address: TeamsAddress, card: Card) -> str:
        """The id of the message that grew; empty where nothing was streamed, or not to the end."""
        words = streamed_words(card)
        if not words or address.scope != "dm":
            return ""
        try:
            return await self._grow(address, card, words)
        except (DeliveryRefused, DeliveryUnavailable) as error:
            # The reader may have pressed Stop, or the chat takes no streams: the card follows as an ordinary message.
            log.info("teams_stream_refused", detail=error.detail)
            return ""

    async def _grow(self, address: TeamsAddress, card: Card, words: str) -> str:
        opening = _typing(say(card.locale, "teams.writing"), StreamInfo("informative", 1))
        stream = await self.adapter.send(address, opening)
        for number, text in enumerate(grown(words), 2):
            await asyncio.sleep(self.pause)
            await self.adapter.send(address, _typing(text, StreamInfo("streaming", number, stream)))
        await asyncio.sleep(self.pause)
        await self.adapter.send(address, _final(card, words, stream))
        return stream


def streamed_words(card: Card) -> str:
    """The words of a long reply; empty for every other card, and for one with buttons, which a stream cannot hold."""
    if card.kind != "reply" or any(isinstance(part, Actions) and part.buttons for part in card.elements):
        return ""
    if not all(isinstance(element, Paragraph | Actions) for element in card.elements):
        return ""
    words = "\n\n".join(clean(plain(part.spans)) for part in card.elements if isinstance(part, Paragraph))
    return words if LONG_CHARACTERS < len(words) <= _MOST_CHARACTERS else ""


def grown(words: str) -> Iterator[str]:
    """The words so far, step by step: each text extends the one before, and the last is shorter than all."""
    for number in range(1, MOST_CHUNKS):
        end = words.rfind(" ", 0, len(words) * number // MOST_CHUNKS)
        if end > 0:
            yield words[:end]


def _typing(text: str, info: StreamInfo) -> Any:
    return Activity(type=ActivityTypes.typing, text=text, entities=[info])


def _final(card: Card, words: str, stream: str) -> Any:
    entities = [StreamInfo("final", None, stream)]
    label = [AiEntity(card.citations)] if card.is_model_written else []
    return Activity(
        type=ActivityTypes.message, text=words, text_format=TextFormatTypes.plain, entities=[*entities, *label]
    )
