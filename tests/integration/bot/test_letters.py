from dataclasses import replace
from datetime import UTC, datetime

import pytest

from adapters.control.postgres.connections import Pool, connected
from adapters.control.postgres.letters import PostgresLetterRows
from agent.values.governance import Decision
from agent.values.identity import ExternalUser, PrincipalId, RunId, TenantId, ThreadKey, UserId
from agent.values.outcome import Failure
from agent.values.turn import Audience, Turn
from bot.letters import Letter, Letters, decode_letter, encode_letter, pause_after
from cards.errors import DeliveryBusy, DeliveryUnavailable
from tests.unit.cards import samples
from tests.unit.cards.samples import WORDS

THREAD = ThreadKey("slack:T0HOME:C0SALES:1.0")
TURN = Turn(
    event_id="slack:Ev1",
    channel="slack",
    tenant=TenantId("T0HOME"),
    thread=THREAD,
    author=ExternalUser(channel="slack", tenant=TenantId("T0HOME"), user_id=UserId("U0ANA")),
    audience=Audience(kind="channel"),
    kind="message",
    received_at=datetime(2026, 11, 1, tzinfo=UTC),
)
AWAY = DeliveryUnavailable("chat.postMessage: 500")


def letter(run: str, thread: str = THREAD) -> Letter:
    failure = Failure(run=RunId(run), locale="en", code="internal", message="It failed.", reference=run)
    return Letter(turn=replace(TURN, thread=ThreadKey(thread)), outcome=failure, asker=PrincipalId("ana"))


@pytest.fixture
def letters(pool: Pool) -> Letters:
    return Letters(PostgresLetterRows(pool))


async def _runs(letters: Letters) -> list[str]:
    found = []
    while queued := await letters.claim("slack", 60):
        found.append(str(queued.letter.outcome.run))
    return found


async def test_a_letter_comes_back_as_it_was_written(letters: Letters) -> None:
    written = letter("RUN1")
    await letters.put(written, "500", 0)
    queued = await letters.claim("slack", 60)
    assert queued is not None
    assert queued.letter == written


def test_a_decision_on_a_proposal_is_kept_with_it() -> None:
    decision = samples.decision(WORDS["en"], "approve")
    assert isinstance(decision, Decision)
    written = Letter(turn=TURN, outcome=samples.proposal(WORDS["en"]), asker=None, decision=decision)
    assert decode_letter(encode_letter(written)) == written


async def test_letters_of_a_thread_go_one_after_the_other(letters: Letters) -> None:
    for run in ("RUN1", "RUN2"):
        await letters.put(letter(run), "500", 0)
    await letters.put(letter("RUN3", "slack:T0HOME:C0SALES:2.0"), "500", 0)
    assert await _runs(letters) == ["RUN1", "RUN3"]
    assert await letters.waits(THREAD)


async def test_what_waits_behind_another_waits_on_while_that_one_is_not_due(letters: Letters) -> None:
    await letters.put(letter("RUN1"), "500", 300)
    await letters.put(letter("RUN2"), "behind another", 0)
    assert await _runs(letters) == []


async def test_a_delivered_letter_lets_the_next_one_go(letters: Letters) -> None:
    for run in ("RUN1", "RUN2"):
        await letters.put(letter(run), "500", 0)
    first = await letters.claim("slack", 60)
    assert first is not None
    await letters.done(first)
    assert await _runs(letters) == ["RUN2"]


async def test_a_letter_whose_bearer_died_is_taken_by_another(letters: Letters, pool: Pool) -> None:
    await letters.put(letter("RUN1"), "500", 0)
    assert await _runs(letters) == ["RUN1"]
    async with connected(pool) as connection:
        await connection.execute("UPDATE countersign.letters SET held_until = now() - interval '1 second'")
    assert await _runs(letters) == ["RUN1"]


async def test_a_letter_for_another_platform_is_not_taken(letters: Letters) -> None:
    await letters.put(letter("RUN1", "teams:tenant:19:abc"), "500", 0)
    assert await _runs(letters) == []


async def test_what_is_given_up_is_seen_and_holds_nobody_up(letters: Letters) -> None:
    for run in ("RUN1", "RUN2"):
        await letters.put(letter(run), "500", 0)
    first = await letters.claim("slack", 60)
    assert first is not None
    await letters.give_up(first, "chat.postMessage: channel_not_found")
    assert await _runs(letters) == ["RUN2"]
    (dead,) = await letters.dead(10)
    assert (dead.run, dead.thread, dead.slot) == ("RUN1", THREAD, "end")
    assert dead.fault == "chat.postMessage: channel_not_found"


async def test_a_letter_put_off_is_due_when_the_platform_asked(letters: Letters, pool: Pool) -> None:
    await letters.put(letter("RUN1"), "500", 0)
    queued = await letters.claim("slack", 60)
    assert queued is not None
    await letters.later(queued, DeliveryBusy("chat.postMessage: ratelimited", 120))
    async with connected(pool) as connection:
        found = await connection.execute(
            "SELECT due_at - now() > interval '110 seconds' AS later FROM countersign.letters"
        )
        row = await found.fetchone()
    assert row is not None
    assert row["later"]


def test_pauses_grow_to_five_minutes_unless_the_platform_says() -> None:
    assert [pause_after(AWAY, attempts) for attempts in (0, 1, 2, 20)] == [5, 10, 20, 300]
    assert pause_after(DeliveryBusy("429", 90), 7) == 90
