import asyncio
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from adapters.control.postgres.cards import PostgresCardStore
from adapters.control.postgres.connections import Pool
from adapters.control.postgres.queued_turns import PostgresQueuedTurns
from agent.errors import WarehouseBusy
from agent.values.outcome import Reply
from agent.values.turn import CardRef, Place, Turn
from bot.delivery import Delivery
from bot.driver import RunStop
from bot.inbox import Inbox
from bot.run_desk import RunDesk, place_of, progress_post
from bot.waiting.handling import QueuedTurns
from bot.waiting.notices import QueueNotices
from cards.elements import Card
from cards.errors import DeliveryBusy
from cards.render.text import render_text
from tests.integration.bot.waiting.test_queued_turns import _do, _put, turn
from tests.unit.bot.test_posting import FindingPlatform

QUEUED, NEXT, NO_LONGER = "Queued, 1 before you", "Queued, you are next", "No longer queued"


@dataclass
class Slow(FindingPlatform):
    """Takes its time for each post while its gate is shut; `busy` of them it asks to come again."""

    gate: asyncio.Event = field(default_factory=asyncio.Event)
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    busy: int = 0

    async def post(self, place: Place, card: Card, key: str) -> CardRef:
        self.asked.set()
        await self.gate.wait()
        if self.busy:
            self.busy -= 1
            raise DeliveryBusy("chat.postMessage: ratelimited", 60)
        return await super().post(place, card, key)

    def said(self) -> list[str]:
        return [render_text(card).strip().splitlines()[0] for _, card in self.posted]


@dataclass(kw_only=True)
class Runner:
    """Handles a turn as the test says, with the desk at hand."""

    desk: RunDesk
    begun: list[str] = field(default_factory=list)
    answers: bool = True
    busy: bool = False

    async def handle(self, turn: Turn) -> RunStop | None:
        self.begun.append(turn.event_id)
        if self.busy:
            raise WarehouseBusy("full", domain="payments")
        if self.answers:
            post, channel = progress_post(turn), self.desk.channel(turn)
            answer = Reply(run=post.run, locale="en", text="Answered")
            await self.desk.delivery.deliver(channel, place_of(turn), post, answer)
        return None


@pytest.fixture
def slack() -> Slow:
    platform = Slow(name="slack")
    platform.gate.set()
    return platform


@pytest.fixture
def desk(pool: Pool, slack: Slow) -> RunDesk:
    nothing: Any = None
    cards = PostgresCardStore(pool)
    delivery = Delivery(clock=nothing, catalog=nothing, results=nothing, cards=cards, artifacts=nothing, people=nothing)
    rest = ("deps", "driver", "runs", "audit", "progress", "signers", "gate", "alone", "letters")
    return RunDesk(
        delivery=delivery,
        channels={"slack": cast("Any", slack)},
        default_locale="en",
        **dict.fromkeys(rest, nothing),
    )


@pytest.fixture
async def waiting(inbox: Inbox, pool: Pool) -> tuple[Turn, Turn]:
    """Two turns of one thread that have waited for a while."""
    first, second = turn(1, "a"), turn(2, "a")
    await _put(inbox, pool, first, second)
    return first, second


def notices(desk: RunDesk, pool: Pool) -> QueueNotices:
    return QueueNotices(desk, PostgresQueuedTurns(pool))


def worker(desk: RunDesk, pool: Pool, *, answers: bool = True, busy: bool = False, may_ask: bool = True) -> QueuedTurns:
    runner = Runner(desk=desk, answers=answers, busy=busy)
    return QueuedTurns(runner=cast("Any", runner), notices=notices(desk, pool), may_ask=lambda *_: may_ask)


@pytest.mark.usefixtures("waiting")
async def test_however_many_processes_look_each_turn_is_told_of_once(desk: RunDesk, pool: Pool, slack: Slow) -> None:
    await asyncio.gather(*(notices(desk, pool).round() for _ in range(4)))
    assert sorted(slack.said()) == [QUEUED, NEXT]


async def test_a_turn_that_begins_while_it_is_told_of_ends_in_that_very_message(
    desk: RunDesk, pool: Pool, slack: Slow, waiting: tuple[Turn, Turn]
) -> None:
    slack.gate.clear()
    telling = asyncio.create_task(notices(desk, pool).round())
    await slack.asked.wait()
    handling = worker(desk, pool)
    handled = asyncio.create_task(handling.handle(waiting[0]))
    await asyncio.sleep(0.3)
    assert cast("Runner", handling.runner).begun == []
    slack.gate.set()
    await asyncio.gather(telling, handled)
    assert sorted(slack.said()) == ["Answered", QUEUED]


async def test_a_turn_that_ends_without_an_outcome_in_its_thread_leaves_no_queue_behind(
    desk: RunDesk, pool: Pool, slack: Slow, waiting: tuple[Turn, Turn]
) -> None:
    await notices(desk, pool).round()
    await worker(desk, pool, answers=False).handle(waiting[0])
    await worker(desk, pool).handle(waiting[1])
    assert sorted(slack.said()) == ["Answered", NO_LONGER]


async def test_a_turn_that_is_put_off_waits_where_it_was_told_and_ends_there(
    desk: RunDesk, pool: Pool, slack: Slow, waiting: tuple[Turn, Turn]
) -> None:
    await _do(pool, "DELETE FROM procrastinate_jobs WHERE queueing_lock = 'slack:Ev2'")
    for _ in range(2):
        with pytest.raises(WarehouseBusy):
            await worker(desk, pool, busy=True).handle(waiting[0])
        await notices(desk, pool).round()
        assert slack.said() == [NEXT]
    hopeless = worker(desk, pool, may_ask=False)
    with pytest.raises(WarehouseBusy):
        await hopeless.handle(waiting[0])
    assert cast("Runner", hopeless.runner).begun == []
    await worker(desk, pool).handle(waiting[0])
    assert slack.said() == ["Answered"]


@pytest.mark.usefixtures("waiting")
async def test_a_platform_that_asks_to_wait_is_told_nothing_until_then(desk: RunDesk, pool: Pool, slack: Slow) -> None:
    slack.busy = 1
    telling = notices(desk, pool)
    await telling.round()
    await telling.round()
    assert slack.said() == []
