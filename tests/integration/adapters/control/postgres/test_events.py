from adapters.control.postgres.connections import Pool
from adapters.control.postgres.events import PostgresEventLog


async def test_an_event_belongs_to_the_job_that_took_it_first(pool: Pool) -> None:
    events = PostgresEventLog(pool)
    assert await events.take("Ev1", 1, "a") == "taken"
    assert await events.take("Ev1", 2, "b") == "elsewhere"
    await events.release("a")
    assert await events.take("Ev1", 2, "b") == "elsewhere"


async def test_a_job_is_taken_again_only_when_nobody_holds_it_any_more(pool: Pool) -> None:
    events = PostgresEventLog(pool)
    await events.take("Ev1", 1, "dead")
    assert await events.take("Ev1", 1, "next") == "held"
    async with pool.connection() as connection:
        await connection.execute("UPDATE countersign.events SET held_until = now() - interval '1 second'")
    assert await events.take("Ev1", 1, "next") == "taken"


async def test_who_was_taken_over_cannot_hold_on(pool: Pool) -> None:
    events = PostgresEventLog(pool)
    await events.take("Ev1", 1, "slow")
    await events.take("Ev2", 2, "well")
    await events.release("slow")
    await events.take("Ev1", 1, "next")
    assert await events.renew(("slow", "well")) == {"well"}
