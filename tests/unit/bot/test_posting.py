from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest

from agent.values.identity import ChannelName, ExternalUser, RunId, ThreadKey
from agent.values.outcome import Rejected
from agent.values.turn import CardRef, Place
from bot.delivery import Delivery
from bot.posting import Post, attach_once, post_once
from bot.progress import RunProgress
from cards.elements import Attachment, Card, Heading
from cards.errors import DeliveryUnavailable
from cards.render.text import render_text
from tests.fakes.stores import InMemoryCardStore

RUN = RunId("RUN7")
PLACE = Place(thread=ThreadKey("teams:tenant:19:abc"), address="")
CARD = Card(kind="reply", fallback="Approval rate was 86.9 %.", elements=(Heading(text="Approval rate"),))
WORKBOOK = Attachment(key="workbook", name="countersign-RUN7.xlsx", media_type="", title="", content=b"PK")


class Killed(BaseException):
    """The process ends after the platform has the message."""


@dataclass
class Platform:
    """Keeps what is posted; `kills` of its posts end the process that made them. Names no message again."""

    kills: int = 0
    is_away: bool = False
    posted: list[tuple[str, Card]] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    name: ChannelName = "teams"

    async def post(self, place: Place, card: Card, key: str) -> CardRef:
        self.posted.append((key, card))
        return self._told(place, len(self.posted))

    async def update(self, place: Place, ref: CardRef, card: Card) -> None:  # noqa: ARG002  # the port's arguments
        if self.is_away:
            raise DeliveryUnavailable("update: 500")
        number = int(ref.message_id) - 1
        self.posted[number] = (self.posted[number][0], card)

    async def attach(self, place: Place, run: RunId, attachment: Attachment) -> CardRef:  # noqa: ARG002
        self.files.append(attachment.name)
        return self._told(place, len(self.files))

    async def notify(self, place: Place, user: ExternalUser, text: str) -> None:
        """Nothing to see."""

    def _told(self, place: Place, number: int) -> CardRef:
        if self.kills:
            self.kills -= 1
            raise Killed
        return CardRef(thread=place.thread, message_id=str(number))


class FindingPlatform(Platform):
    """Keeps the key with the message, as Slack does."""

    async def find(self, place: Place, key: str) -> CardRef | None:
        numbers = [number for number, (held, _) in enumerate(self.posted, 1) if held == key]
        return CardRef(thread=place.thread, message_id=str(numbers[0])) if numbers else None

    async def find_file(self, place: Place, run: RunId, attachment: Attachment) -> CardRef | None:  # noqa: ARG002
        found = attachment.name in self.files
        return CardRef(thread=place.thread, message_id=attachment.name) if found else None

    async def find_direct(self, user: ExternalUser, key: str) -> tuple[CardRef, Place] | None:  # noqa: ARG002
        return None


async def _post_after_a_kill(platform: Platform, cards: InMemoryCardStore) -> None:
    platform.kills = 1
    try:
        await post_once(cards, platform, PLACE, RUN, "end", CARD)
    except Killed:
        await post_once(cards, platform, PLACE, RUN, "end", CARD)


async def test_a_card_whose_id_was_lost_is_found_by_its_key_and_not_posted_twice() -> None:
    platform, cards = FindingPlatform(), InMemoryCardStore()
    await _post_after_a_kill(platform, cards)
    assert platform.posted == [("RUN7:end", CARD)]
    assert await cards.get(RUN, "end") == (CardRef(thread=PLACE.thread, message_id="1"), PLACE)
    assert not await cards.noted(RUN, "end")


async def test_where_nothing_can_be_found_the_second_card_says_that_it_may_be_one() -> None:
    platform, cards = Platform(), InMemoryCardStore()
    await _post_after_a_kill(platform, cards)
    assert len(platform.posted) == 2
    assert platform.posted[0][1] == CARD
    assert "may stand here twice" in render_text(platform.posted[1][1])


async def test_a_card_that_nothing_cut_short_is_posted_as_it_is() -> None:
    platform, cards = Platform(), InMemoryCardStore()
    await post_once(cards, platform, PLACE, RUN, "end", CARD)
    assert platform.posted == [("RUN7:end", CARD)]


async def test_a_file_whose_message_was_lost_is_not_sent_twice() -> None:
    platform, cards = FindingPlatform(kills=1), InMemoryCardStore()
    try:
        await attach_once(cards, platform, PLACE, RUN, WORKBOOK)
    except Killed:
        await attach_once(cards, platform, PLACE, RUN, WORKBOOK)
    assert platform.files == ["countersign-RUN7.xlsx"]
    assert await cards.get(RUN, "file:workbook") is not None


@pytest.mark.parametrize("is_outcome", [True, False])
@pytest.mark.parametrize(("finds", "is_said"), [(False, True), (True, False)])
async def test_a_card_says_that_a_message_of_work_may_stand_above_it_where_none_can_be_found(
    finds: bool, is_said: bool, is_outcome: bool
) -> None:
    platform = FindingPlatform() if finds else Platform()
    cards, progress = InMemoryCardStore(), Post(run=RUN, slot="progress:1")
    assert not await cards.note(progress.run, progress.slot)
    delivery = _delivery(cards)
    ended = Rejected(run=RUN, locale="en", kind="cancel", by_name="", at=datetime(2026, 11, 1, tzinfo=UTC))
    if is_outcome:
        await delivery.deliver(platform, PLACE, progress, ended)
    else:
        await delivery.show(platform, PLACE, RUN, "clarification:1", CARD, progress)
    ((_, card),) = platform.posted
    assert ("may still say that I am working" in render_text(card)) is is_said


@pytest.mark.parametrize("finds", [False, True])
async def test_an_outcome_that_was_cut_short_stands_once_or_says_so_where_work_was_shown_again_meanwhile(
    finds: bool,
) -> None:
    platform = FindingPlatform() if finds else Platform()
    cards, progress = InMemoryCardStore(), Post(run=RUN, slot="progress:1")
    platform.kills = 1
    with pytest.raises(Killed):
        await _delivery(cards).show(platform, PLACE, RUN, "end", CARD, progress)
    await RunProgress(cards).show(platform, PLACE, RUN, progress, "en", ("understanding",))
    await _delivery(cards).show(platform, PLACE, RUN, "end", CARD, progress)
    first, second = (render_text(card) for _, card in platform.posted)
    assert "Approval rate" in first
    assert ("Approval rate" in second, "may stand here twice" in second) == (not finds, not finds)
    assert ("See the message above" in second) is finds


async def test_work_shown_beside_an_outcome_that_stands_points_to_it() -> None:
    platform, cards, progress = Platform(), InMemoryCardStore(), Post(run=RUN, slot="progress:1")
    await _delivery(cards).show(platform, PLACE, RUN, "end", CARD, progress)
    await RunProgress(cards).show(platform, PLACE, RUN, progress, "en", ("understanding",))
    await _delivery(cards).show(platform, PLACE, RUN, "end", CARD, progress)
    stands, work = (render_text(card) for _, card in platform.posted)
    assert ("Approval rate" in stands, "See the message above" in work) == (True, True)


async def test_an_outcome_that_only_could_not_be_put_into_its_message_of_work_is_in_no_doubt() -> None:
    platform, cards, progress = Platform(), InMemoryCardStore(), Post(run=RUN, slot="progress:1")
    await RunProgress(cards).show(platform, PLACE, RUN, progress, "en", ("understanding",))
    platform.is_away = True
    with pytest.raises(DeliveryUnavailable):
        await _delivery(cards).show(platform, PLACE, RUN, "end", CARD, progress)
    platform.is_away = False
    await _delivery(cards).show(platform, PLACE, RUN, "end", CARD, progress)
    assert [card for _, card in platform.posted] == [CARD]


async def test_a_message_of_work_that_may_stand_there_is_not_posted_again_where_none_can_be_found() -> None:
    platform, cards, progress = Platform(), InMemoryCardStore(), Post(run=RUN, slot="progress:1")
    await cards.note(progress.run, progress.slot)
    await RunProgress(cards).show(platform, PLACE, RUN, progress, "en", ("understanding",))
    assert platform.posted == []


def _delivery(cards: InMemoryCardStore) -> Delivery:
    nothing = _nothing()
    return Delivery(clock=nothing, catalog=nothing, results=nothing, cards=cards, artifacts=nothing, people=nothing)


def _nothing() -> Any:
    return None
