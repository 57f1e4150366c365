import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import date

import pytest
from redis.asyncio import Redis

from adapters.control.budgets import ControlBudgets
from adapters.control.postgres.budgets import PostgresBudgetLedger
from adapters.control.postgres.connections import create_pool
from adapters.control.postgres.migrate import migrate
from adapters.control.redis.budgets import BudgetSums
from agent.values.budget import Account, Caps, Spending
from agent.values.identity import PrincipalId, RunId
from agent.values.meters import Amounts, Budget
from semantic_catalog.model import DomainName
from tests.fakes.relay import Relay

DAY = date(2026, 11, 1)
ANA = Account(person=PrincipalId("ana"), tenant="slack:T1")
ONE = Amounts(queries=1)
PAYMENTS, BOOKS = DomainName("payments"), DomainName("erp_finance")


def query(once: str, domain: DomainName | None = PAYMENTS, amounts: Amounts = ONE) -> Spending:
    return Spending(once=once, run=RunId("run-1"), account=ANA, day=DAY, amounts=amounts, domain=domain)


@pytest.fixture
async def processes(fresh_database: str, client: Redis) -> AsyncIterator[tuple[ControlBudgets, ControlBudgets]]:
    """What two processes have: pools of their own over one database."""
    await migrate(fresh_database)
    async with AsyncExitStack() as stack:
        pools = [create_pool(fresh_database, max_connections=4, patience=5) for _ in range(2)]
        for pool in pools:
            stack.push_async_callback(pool.close)
        one, other = (ControlBudgets(ledger=PostgresBudgetLedger(pool), sums=BudgetSums(client)) for pool in pools)
        yield one, other


async def used(budgets: ControlBudgets) -> int:
    return (await budgets.used(ANA, DAY)).person.queries


async def test_two_processes_that_race_never_book_more_than_fits(
    processes: tuple[ControlBudgets, ControlBudgets],
) -> None:
    caps = Caps(person=Budget(queries=7))
    told = await asyncio.gather(
        *(budgets.spend(query(f"{place}-{n}"), caps, ONE) for n in range(15) for place, budgets in enumerate(processes))
    )
    assert told.count(None) == 7
    assert [await used(budgets) for budgets in processes] == [7, 7]


async def test_the_same_spending_in_two_processes_at_once_is_one(
    processes: tuple[ControlBudgets, ControlBudgets],
) -> None:
    await asyncio.gather(*(budgets.book(query("same")) for _ in range(8) for budgets in processes))
    assert await used(processes[0]) == 1


async def test_what_the_cache_lost_is_read_from_the_ledger_and_kept_there_again(
    processes: tuple[ControlBudgets, ControlBudgets], client: Redis
) -> None:
    budgets, _ = processes
    await budgets.book(query("a"))
    await client.flushdb()
    assert await used(budgets) == 1
    assert await client.hget(f"countersign:budget:{DAY}:person:ana", "queries") == "1"


async def test_a_look_asks_the_cache_alone(processes: tuple[ControlBudgets, ControlBudgets], client: Redis) -> None:
    budgets, _ = processes
    await budgets.book(query("a"))
    await client.hset(f"countersign:budget:{DAY}:person:ana", "queries", "5")
    assert await used(budgets) == 5


async def test_an_older_sum_never_takes_the_place_of_a_newer_one(
    processes: tuple[ControlBudgets, ControlBudgets], client: Redis
) -> None:
    budgets, _ = processes
    await budgets.book(query("a"))
    early = await budgets.used(ANA, DAY)
    await budgets.book(query("b"))
    await BudgetSums(client).raise_to(ANA, DAY, early)
    assert await used(budgets) == 2


async def test_while_the_cache_is_away_nothing_goes_uncounted(
    processes: tuple[ControlBudgets, ControlBudgets], relay: Relay
) -> None:
    budgets, _ = processes
    caps = Caps(person=Budget(queries=2))
    await budgets.book(query("a"))
    await relay.shut()
    assert await used(budgets) == 1
    assert await budgets.spend(query("b"), caps, ONE) is None
    assert await budgets.spend(query("c"), caps, ONE) is not None
    await relay.open()
    assert await budgets.spend(query("c"), caps, ONE) is not None
    assert await used(budgets) == 2


async def test_use_is_told_by_person_on_the_domains_asked_for_and_by_tenant_on_all(
    processes: tuple[ControlBudgets, ControlBudgets],
) -> None:
    budgets, _ = processes
    await budgets.book(query("a", amounts=Amounts(queries=1, rows=30)))
    await budgets.book(query("b", BOOKS))
    await budgets.book(query("c", None, Amounts(tokens=700)))
    people = await budgets.ledger.by_person(DAY, [PAYMENTS])
    assert people == (("ana", Amounts(queries=1, rows=30, tokens=700)),)
    assert await budgets.ledger.by_tenant(DAY) == (("slack:T1", Amounts(queries=2, rows=30, tokens=700)),)
