"""Where a command's answer goes: into the thread, or to the person alone where it is theirs alone."""

from dataclasses import dataclass
from typing import Final

import structlog

from agent.codec import encode
from agent.values.identity import ChannelName, Principal
from agent.values.outcome import Reply
from agent.values.spec import Understanding
from agent.values.turn import Turn
from agent.wording.texts import say
from bot.driver import RunStop
from bot.identifiers import run_id
from bot.people import People
from bot.personal import PersonalMemories
from bot.run_desk import RunDesk, place_of, progress_post
from cards.elements import Card
from cards.errors import DeliveryRefused, DeliveryUnavailable
from cards.render.text import render_text
from semantic_catalog.model import Locale

_WHISPERS: Final[frozenset[ChannelName]] = frozenset({"slack", "console"})
"""Channels where a notice in front of others reaches one person only."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a command answers; a `private` card is for its author's eyes only."""

    card: Card
    private: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """Delivers what commands answer."""

    desk: RunDesk
    people: People
    personal: PersonalMemories

    async def locale(self, turn: Turn, person: Principal, said_in: Locale | None) -> Locale:
        """The language of the answer: that of the command, else the person's."""
        return (
            said_in or await self.personal.language(person) or turn.locale or person.locale or self.desk.default_locale
        )

    async def answer(self, turn: Turn, said: Said) -> RunStop:
        """Deliver the answer; the stop tells what was said, for whoever handles turns in this process."""
        if said.private and turn.audience.kind != "dm":
            await self._alone(turn, said.card)
        else:
            await self._show(turn, said.card)
        run, locale = run_id(turn.event_id), said.card.locale
        meaning = Understanding(relation="independent_request", turn_type="general", language=locale, confidence=1.0)
        reply = Reply(run=run, locale=locale, text=render_text(said.card))
        return RunStop(
            outcome=reply,
            state={"run": run, "thread": turn.thread, "understanding": encode(meaning), "language": locale},
        )

    async def _show(self, turn: Turn, card: Card) -> None:
        run = run_id(turn.event_id)
        channel, progress = self.desk.channel(turn), progress_post(turn)
        await self.desk.delivery.show(channel, place_of(turn), run, "command", card, progress)

    async def _alone(self, turn: Turn, card: Card) -> None:
        """Write to the person; where the platform does not let us, whisper, else ask them to write to us."""
        if await self._direct(turn, card):
            await self.desk.notify(turn, say(card.locale, "command.sent_directly"))
        elif turn.channel in _WHISPERS:
            await self.desk.notify(turn, render_text(card))
        else:
            await self.desk.notify(turn, say(card.locale, "command.only_personal"))

    async def _direct(self, turn: Turn, card: Card) -> bool:
        messages = self.people.messages.get(turn.channel)
        if messages is None:
            return False
        try:
            await messages.direct(turn.author, card, f"command:{turn.event_id}")
        except (DeliveryUnavailable, DeliveryRefused) as error:
            log.warning("person_not_reached", channel=turn.channel, code=error.code, detail=error.detail)
            return False
        return True
