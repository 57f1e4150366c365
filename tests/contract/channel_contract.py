"""What every chat platform's `Channel` keeps, whatever the platform."""

from dataclasses import dataclass, replace
from typing import Protocol

import pytest

from agent.values.identity import ExternalUser, RunId
from agent.values.turn import CardRef, Place
from bot.ports import Channel
from cards.elements import Attachment, Card, Heading
from cards.errors import DeliveryRefused, DeliveryUnavailable

RUN = RunId("RUN7")
WORKBOOK = Attachment(
    key="workbook",
    name="countersign-RUN7.xlsx",
    media_type="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    title="Approval rate",
    content=b"PK\x03\x04" * 64,
)


class Platform(Protocol):
    """The platform's stand-in, as the contract looks at it."""

    def lines(self, place: Place) -> list[str]:
        """What stands in the thread from the bot, each message as its one line (files as their name), oldest first."""
        ...

    def fail_next(self, times: int) -> None:
        """Ask the bot to wait for so many sends."""
        ...

    def lose(self, ref: CardRef) -> None:
        """Somebody deletes the message."""
        ...


@dataclass(frozen=True, kw_only=True)
class Rig:
    """A channel, two threads in which somebody asked, that person, and what the platform shows."""

    channel: Channel
    place: Place
    other_place: Place
    user: ExternalUser
    platform: Platform


def card(words: str) -> Card:
    """A card of one line."""
    return Card(kind="reply", fallback=words, elements=(Heading(text=words),))


class ChannelContract:
    """Subclasses provide the fixture `rig`."""

    async def test_cards_stand_in_their_thread_in_order(self, rig: Rig) -> None:
        first = await rig.channel.post(rig.place, card("first"), "k1")
        second = await rig.channel.post(rig.place, card("second"), "k2")
        await rig.channel.post(rig.other_place, card("elsewhere"), "k3")
        assert first.thread == second.thread == rig.place.thread
        assert first.message_id != second.message_id
        assert rig.platform.lines(rig.place) == ["first", "second"]
        assert rig.platform.lines(rig.other_place) == ["elsewhere"]

    async def test_the_same_key_posts_once(self, rig: Rig) -> None:
        first = await rig.channel.post(rig.place, card("first"), "k")
        assert await rig.channel.post(rig.place, card("first"), "k") == first
        assert rig.platform.lines(rig.place) == ["first"]

    async def test_a_redrawn_card_stays_where_it_is(self, rig: Rig) -> None:
        ref = await rig.channel.post(rig.place, card("open"), "k1")
        await rig.channel.post(rig.place, card("below"), "k2")
        await rig.channel.update(rig.place, ref, card("decided"))
        assert rig.platform.lines(rig.place) == ["decided", "below"]

    async def test_a_lost_card_cannot_be_redrawn(self, rig: Rig) -> None:
        ref = await rig.channel.post(rig.place, card("open"), "k")
        rig.platform.lose(ref)
        with pytest.raises(DeliveryRefused):
            await rig.channel.update(rig.place, ref, card("decided"))

    async def test_a_short_pressure_is_waited_out(self, rig: Rig) -> None:
        rig.platform.fail_next(1)
        await rig.channel.post(rig.place, card("first"), "k")
        assert rig.platform.lines(rig.place) == ["first"]

    async def test_a_platform_that_stays_busy_is_unavailable_and_the_post_can_be_repeated(self, rig: Rig) -> None:
        rig.platform.fail_next(50)
        with pytest.raises(DeliveryUnavailable):
            await rig.channel.post(rig.place, card("first"), "k")
        rig.platform.fail_next(0)
        await rig.channel.post(rig.place, card("first"), "k")
        assert rig.platform.lines(rig.place) == ["first"]

    async def test_a_file_of_a_run_is_delivered_once(self, rig: Rig) -> None:
        first = await rig.channel.attach(rig.place, RUN, WORKBOOK)
        assert await rig.channel.attach(rig.place, RUN, WORKBOOK) == first
        assert first.thread == rig.place.thread
        assert rig.platform.lines(rig.place) == ["countersign-RUN7.xlsx"]

    async def test_a_file_of_another_run_is_another_file(self, rig: Rig) -> None:
        await rig.channel.attach(rig.place, RUN, WORKBOOK)
        await rig.channel.attach(rig.place, RunId("RUN8"), replace(WORKBOOK, name="countersign-RUN8.xlsx"))
        assert rig.platform.lines(rig.place) == ["countersign-RUN7.xlsx", "countersign-RUN8.xlsx"]
