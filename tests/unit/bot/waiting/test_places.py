import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from agent.values.identity import ExternalUser, TenantId, ThreadKey, UserId
from agent.values.turn import Audience, Turn
from bot.waiting.places import Places

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
TURN = Turn(
    event_id="slack:Ev0",
    channel="slack",
    tenant=TenantId("T0HOME"),
    thread=ThreadKey("slack:T0HOME:C0SALES:1.0"),
    author=ExternalUser(channel="slack", tenant=TenantId("T0HOME"), user_id=UserId("U0ANA")),
    audience=Audience(kind="channel"),
    kind="message",
    received_at=NOON,
)


def turn(number: int) -> Turn:
    """The turn that came `number` seconds after noon."""
    return replace(TURN, event_id=f"slack:Ev{number}", received_at=NOON + timedelta(seconds=number))


class Seconds:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


async def test_a_turn_gets_the_place_that_another_gives_back_within_a_moment() -> None:
    places = Places(1)
    assert await places.take(turn(1))
    second = asyncio.create_task(places.take(turn(2)))
    await asyncio.sleep(0)
    places.give_back()
    assert await second


async def test_nobody_waits_where_nothing_has_moved_for_a_moment() -> None:
    seconds = Seconds()
    places = Places(1, clock=seconds)
    assert await places.take(turn(1))
    seconds.now = 1.0
    assert not await asyncio.wait_for(places.take(turn(2)), None)


async def test_no_more_turns_wait_than_the_worker_can_spare() -> None:
    places = Places(1, waiting=1)
    assert await places.take(turn(1))
    second = asyncio.create_task(places.take(turn(2)))
    await asyncio.sleep(0)
    assert not await places.take(turn(3))
    places.give_back()
    assert await second


async def test_a_turn_that_was_put_off_still_comes_before_a_younger_one() -> None:
    seconds = Seconds()
    places = Places(1, clock=seconds)
    assert await places.take(turn(1))
    seconds.now = 1.0
    assert not await places.take(turn(2))
    places.give_back()
    seconds.now = 3.0
    assert not await places.take(turn(3))
    assert await places.take(turn(2))


async def test_a_turn_without_prospects_need_not_ask_and_keeps_its_place_in_line_all_the_same() -> None:
    seconds = Seconds()
    places = Places(1, clock=seconds)
    assert await places.take(turn(1))
    assert places.may_ask(turn(2))
    seconds.now = 1.0
    assert not places.may_ask(turn(2))
    places.give_back()
    seconds.now = 3.0
    assert not await places.take(turn(3))
    assert places.may_ask(turn(2))
    assert await places.take(turn(2))


async def test_a_place_is_not_kept_for_ever_for_a_turn_that_another_worker_took() -> None:
    seconds = Seconds()
    places = Places(1, clock=seconds)
    assert await places.take(turn(1))
    seconds.now = 1.0
    assert not await places.take(turn(2))
    places.give_back()
    seconds.now = 6.0
    assert await places.take(turn(3))


async def test_what_cannot_come_back_waits_until_there_is_a_place() -> None:
    places = Places(1, moment=0)
    assert await places.take(None)
    second = asyncio.create_task(places.take(None))
    await asyncio.sleep(0)
    assert not second.done()
    places.give_back()
    assert await second


async def test_a_wait_that_is_cut_short_holds_no_place() -> None:
    places = Places(1)
    assert await places.take(turn(1))
    second = asyncio.create_task(places.take(turn(2)))
    await asyncio.sleep(0)
    places.give_back()
    second.cancel()
    await asyncio.gather(second, return_exceptions=True)
    assert await places.take(turn(3))
