from datetime import UTC, datetime, timedelta

import pytest

from agent.errors import CacheUnavailable
from agent.values.identity import ExternalUser, TenantId, ThreadKey, UserId
from agent.values.rate import Excess, Rate
from agent.values.turn import Audience, Turn
from bot.rates import ProcessRates, TurnRates, TurnsPerMinute
from cards.build.notices import too_many_notice
from tests.fakes.clock import FrozenClock

MINUTE = timedelta(minutes=1)


class AwayGate:
    """Implements `RateGate` over a cache that does not answer."""

    async def allow(self, key: str, limit: int, window: timedelta, once: str = "") -> bool:  # noqa: ARG002
        raise CacheUnavailable("away")

    async def take(self, rates: tuple[Rate, ...], window: timedelta, once: str) -> Excess | None:  # noqa: ARG002
        raise CacheUnavailable("away")


class OpenGate(AwayGate):
    """Implements `RateGate`; everything has room."""

    async def take(self, rates: tuple[Rate, ...], window: timedelta, once: str) -> Excess | None:  # noqa: ARG002
        return None


def said(event: str, user: str = "U1", thread: str = "slack:T1:C1:1") -> Turn:
    author = ExternalUser(channel="slack", tenant=TenantId("T1"), user_id=UserId(user))
    return Turn(
        event_id=event, channel="slack", tenant=TenantId("T1"), thread=ThreadKey(thread), author=author,
        audience=Audience(kind="channel"), kind="message", text="q", received_at=datetime(2026, 11, 1, tzinfo=UTC),
    )  # fmt: skip


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


def rates(clock: FrozenClock, gate: AwayGate, person: int = 4, thread: int = 8, tenant: int = 100) -> TurnRates:
    limits = TurnsPerMinute(person=person, thread=thread, tenant=tenant)
    return TurnRates(gate=gate, own=ProcessRates(clock), limits=limits)


async def test_without_the_cache_a_process_counts_alone_and_takes_half(clock: FrozenClock) -> None:
    alone = rates(clock, AwayGate())
    assert await alone.excess(said("1")) is None
    clock.advance(timedelta(seconds=20))
    assert await alone.excess(said("2")) is None
    assert await alone.excess(said("2")) is None
    excess = await alone.excess(said("3"))
    assert excess is not None
    assert (excess.rate.name, excess.seconds) == ("person", 40)
    assert await alone.excess(said("4", "U2")) is None
    clock.advance(timedelta(seconds=40))
    assert await alone.excess(said("5")) is None


async def test_each_limit_is_named_the_persons_first(clock: FrozenClock) -> None:
    alone = rates(clock, AwayGate(), person=100, thread=2, tenant=4)
    assert await alone.excess(said("1")) is None
    of_thread = await alone.excess(said("2", "U2"))
    assert of_thread is not None
    assert of_thread.rate.name == "thread"
    assert await alone.excess(said("3", "U3", "slack:T1:C2:9")) is None
    of_tenant = await alone.excess(said("4", "U4", "slack:T1:C3:9"))
    assert of_tenant is not None
    assert of_tenant.rate.name == "tenant"


async def test_a_cache_that_goes_away_opens_no_new_window(clock: FrozenClock) -> None:
    own, limits = ProcessRates(clock), TurnsPerMinute(person=4, thread=100, tenant=100)
    with_cache = TurnRates(gate=OpenGate(), own=own, limits=limits)
    for event in "1234":
        assert await with_cache.excess(said(event)) is None
    assert await TurnRates(gate=AwayGate(), own=own, limits=limits).excess(said("5")) is not None


async def test_who_is_silent_is_forgotten(clock: FrozenClock) -> None:
    own = ProcessRates(clock)
    for number in range(2_000):
        own.note((Rate(name="person", key=f"p{number}", limit=9),), MINUTE, "e")
        clock.advance(timedelta(seconds=1))
    assert len(own._uses) < 1_100


def test_a_notice_names_the_limit_and_when_to_ask_again() -> None:
    excess = Excess(rate=Rate(name="thread", key="k", limit=60), seconds=12.2)
    assert too_many_notice("en", excess) == (
        "This thread takes 60 messages in a minute. Ask again in 13 s; this one was not taken."
    )
    assert "60 mensajes por minuto" in too_many_notice("es", excess)
    assert "60 сообщений в минуту" in too_many_notice("ru", excess)
