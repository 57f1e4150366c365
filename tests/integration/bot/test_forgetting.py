from dataclasses import replace

import pytest

from adapters.control.postgres.connections import Pool, connected
from adapters.control.postgres.identities import PostgresSeenIdentities
from adapters.control.postgres.letters import PostgresLetterRows
from adapters.control.postgres.people import PostgresPeople
from adapters.control.postgres.runs import PostgresRunStore
from agent.values.identity import PrincipalId, RunId, UserId
from agent.values.outcome import RunRecord
from bot.inbox import Inbox
from bot.letters import Letters
from tests.integration.bot.test_inbox import TURN
from tests.integration.bot.test_letters import letter

ANA, BOB = PrincipalId("ana"), PrincipalId("bob")
ANAS_USER = TURN.author
BOBS_USER = replace(TURN.author, user_id=UserId("U0BOB"))


@pytest.fixture
async def known(pool: Pool) -> PostgresSeenIdentities:
    known = PostgresSeenIdentities(pool)
    await known.put(ANA, ANAS_USER)
    await known.put(BOB, BOBS_USER)
    return known


async def values(pool: Pool, query: str) -> list[object]:
    async with connected(pool) as connection:
        rows = await (await connection.execute(query.encode())).fetchall()
    return [value for row in rows for value in row.values()]


async def test_what_a_forgotten_person_wrote_and_nobody_read_yet_is_never_read(
    pool: Pool, inbox: Inbox, known: PostgresSeenIdentities
) -> None:
    elsewhere = replace(ANAS_USER, channel="console")
    for number, author in enumerate((ANAS_USER, BOBS_USER, elsewhere)):
        await inbox.put(replace(TURN, event_id=f"slack:Ev{number}", author=author))
    await PostgresPeople(pool).forget(ANA)
    assert await values(pool, "SELECT args->'turn'->>'event_id' FROM procrastinate_jobs") == ["slack:Ev1", "slack:Ev2"]
    assert await known.of(ANA) == ()
    assert [who.user_id for who in await known.of(BOB)] == ["U0BOB"]


async def test_what_a_worker_has_in_hand_is_left_to_it(pool: Pool, inbox: Inbox, known: PostgresSeenIdentities) -> None:
    await inbox.put(TURN)
    async with connected(pool) as connection:
        await connection.execute("UPDATE procrastinate_jobs SET status = 'doing'")
    await PostgresPeople(pool).forget(ANA)
    assert await values(pool, "SELECT status::text FROM procrastinate_jobs") == ["doing"]


async def test_letters_to_a_forgotten_person_go_and_those_about_the_runs_of_others_stay(
    pool: Pool, known: PostgresSeenIdentities
) -> None:
    runs, letters = PostgresRunStore(pool), Letters(PostgresLetterRows(pool))
    for run, asker in (("OWN", ANA), ("OTHERS", BOB)):
        await runs.create(
            RunRecord(
                run=RunId(run), thread="t", asker=asker, status="answered", question="q", locale="en",
                created_at=TURN.received_at,
            )
        )  # fmt: skip
    for number, run in enumerate(("OWN", "OTHERS", "COMMAND")):
        await letters.put(letter(run, f"slack:T0HOME:C0SALES:{number}.0"), "500", 0)
    await PostgresPeople(pool).forget(ANA)
    assert await values(pool, "SELECT run FROM countersign.letters") == ["OTHERS"]
