from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from typing import Any, cast

import pytest

from agent.values.identity import ExternalUser, RunId, ThreadKey
from agent.values.turn import CardRef, Place
from bot.delivery import Delivery
from cards.elements import Attachment, Card, Heading
from cards.errors import DeliveryRefused
from tests.fakes.stores import InMemoryCardStore

RUN = RunId("RUN7")
PLACE = Place(thread=ThreadKey("teams:tenant:19:abc"), address="")
CARD = Card(kind="decided", fallback="Approved", elements=(Heading(text="Approved"),))


@dataclass
class Platform:
    """Writes down what was redrawn; `lost` messages are gone."""

    lost: frozenset[str] = frozenset()
    redrawn: list[str] = field(default_factory=list)
    posted: list[str] = field(default_factory=list)
    name: str = "teams"

    async def post(self, place: Place, card: Card, key: str) -> CardRef:  # noqa: ARG002  # the port's arguments
        self.posted.append(card.fallback)
        return _ref(key)

    async def update(self, place: Place, ref: CardRef, card: Card) -> None:  # noqa: ARG002  # the port's arguments
        if ref.message_id in self.lost:
            raise DeliveryRefused("update: 404")
        self.redrawn.append(ref.message_id)

    async def attach(self, place: Place, run: RunId, attachment: Attachment) -> CardRef:  # noqa: ARG002
        raise DeliveryRefused("attach: too large")

    async def notify(self, place: Place, user: ExternalUser, text: str) -> None:
        raise NotImplementedError


def _ref(message: str) -> CardRef:
    return CardRef(thread=PLACE.thread, message_id=message)


async def _redrawn(platform: Platform, also: tuple[tuple[CardRef, Place], ...] = ()) -> list[str]:
    cards = InMemoryCardStore()
    await cards.put(RUN, "proposal:1", _ref("1"), PLACE)
    await cards.put(RUN, "proposal:1@carla", _ref("2"), PLACE)
    nothing: Any = None
    delivery = Delivery(clock=nothing, catalog=nothing, results=nothing, cards=cards, artifacts=nothing, people=nothing)
    await delivery.redraw({"teams": cast("Any", platform)}, RUN, "proposal:1", CARD, also)
    return sorted(platform.redrawn)


async def test_a_card_and_its_copies_are_redrawn() -> None:
    assert await _redrawn(Platform()) == ["1", "2"]


async def test_a_pressed_card_that_nobody_knew_of_is_closed_with_the_known_one() -> None:
    assert await _redrawn(Platform(), ((_ref("lost twin"), PLACE),)) == ["1", "2", "lost twin"]


async def test_a_pressed_card_that_is_known_is_redrawn_once() -> None:
    assert await _redrawn(Platform(), ((_ref("1"), PLACE),)) == ["1", "2"]


async def test_a_card_that_is_gone_keeps_no_other_from_being_redrawn() -> None:
    assert await _redrawn(Platform(lost=frozenset({"1"}))) == ["2"]


async def _no_bytes() -> AsyncIterator[bytes]:
    yield b""


WORKBOOK = Attachment(key="workbook", name="w.xlsx", media_type="", title="Fees", length=45_600_000, parts=_no_bytes)


async def _attached(links: bool, attachment: Attachment = WORKBOOK) -> list[str]:
    nothing: Any = None
    delivery = Delivery(
        clock=nothing, catalog=nothing, results=nothing, cards=InMemoryCardStore(), artifacts=nothing, people=nothing,
        link_for=(lambda run, key: f"https://countersign.example/files/{run}-{key}") if links else None,
    )  # fmt: skip
    platform = Platform()
    await delivery.attach(cast("Any", platform), PLACE, RUN, attachment, locale="en")
    return platform.posted


async def test_a_long_file_that_the_platform_refuses_is_linked() -> None:
    [words] = await _attached(links=True)
    assert "“Fees” (46 MB)" in words
    assert words.endswith("https://countersign.example/files/RUN7-workbook")


async def test_where_there_are_no_links_a_long_file_that_is_refused_is_said_to_be_too_large() -> None:
    [words] = await _attached(links=False)
    assert "too large for this chat" in words


async def test_a_short_file_that_is_refused_is_an_error_as_before() -> None:
    with pytest.raises(DeliveryRefused):
        await _attached(links=True, attachment=replace(WORKBOOK, parts=None, content=b"PK"))
