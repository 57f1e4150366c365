import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from redis.asyncio import Redis

from adapters.control.budgets import ControlBudgets
from adapters.control.postgres.budgets import PostgresBudgetLedger
from adapters.control.postgres.connections import Pool
from adapters.control.redis.budgets import BudgetSums
from adapters.control.redis.connections import create_client
from agent.ports import Budgets
from agent.values.budget import Account, Caps, Exceeded, Spending, Used
from agent.values.identity import PrincipalId, RunId
from agent.values.meters import NOTHING, Amounts, Budget
from semantic_catalog.model import DomainName
from tests.fakes.budgets import InMemoryBudgets

DAY = date(2026, 11, 1)
ANA = Account(person=PrincipalId("ana"), tenant="slack:T1")
BEN = Account(person=PrincipalId("ben"), tenant="slack:T1")
ONE = Amounts(queries=1)
TWO_EACH = Caps(person=Budget(queries=2))


def query(once: str, account: Account = ANA, amounts: Amounts = ONE) -> Spending:
    return Spending(
        once=once, run=RunId("run-1"), account=account, day=DAY, amounts=amounts, domain=DomainName("payments")
    )


@pytest.fixture
async def client(valkey_url: str) -> AsyncIterator[Redis]:
    opened = create_client(valkey_url)
    yield opened
    await opened.aclose()


@pytest.fixture(params=["stores", "memory"])
def budgets(request: pytest.FixtureRequest) -> Budgets:
    if request.param == "memory":
        return InMemoryBudgets()
    pool: Pool = request.getfixturevalue("control")
    return ControlBudgets(ledger=PostgresBudgetLedger(pool), sums=BudgetSums(request.getfixturevalue("client")))


async def test_what_is_spent_is_used_by_the_person_and_by_their_tenant(budgets: Budgets) -> None:
    assert await budgets.used(ANA, DAY) == Used()
    await budgets.book(query("a", amounts=Amounts(queries=1, rows=40, tokens=900, money=Decimal("0.004321"))))
    await budgets.book(query("b", BEN, Amounts(rows=2)))
    used = await budgets.used(ANA, DAY)
    assert used.person == Amounts(queries=1, rows=40, tokens=900, money=Decimal("0.004321"))
    assert used.tenant == replace(used.person, rows=42)
    assert (await budgets.used(ANA, date(2026, 11, 2))) == Used()


async def test_a_spending_is_booked_once_and_fits_again_when_it_is_repeated(budgets: Budgets) -> None:
    caps = Caps(person=Budget(queries=1))
    for _ in range(3):
        assert await budgets.spend(query("a"), caps, ONE) is None
    await budgets.book(query("a"))
    assert (await budgets.used(ANA, DAY)).person.queries == 1


async def test_what_does_not_fit_is_told_and_not_booked(budgets: Budgets) -> None:
    for once in ("a", "b"):
        assert await budgets.spend(query(once), TWO_EACH, ONE) is None
    over = await budgets.spend(query("c"), TWO_EACH, ONE)
    assert over == Exceeded(scope="person", meter="queries", used=Decimal(2), limit=Decimal(2))
    assert await budgets.spend(query("c", BEN), TWO_EACH, ONE) is None
    together = Caps(tenant=Budget(queries=3))
    over = await budgets.spend(query("d", BEN), together, ONE)
    assert over == Exceeded(scope="tenant", meter="queries", used=Decimal(3), limit=Decimal(3))
    assert (await budgets.used(BEN, DAY)).tenant.queries == 3


async def test_only_what_is_needed_can_be_exceeded(budgets: Budgets) -> None:
    await budgets.book(query("a", amounts=Amounts(tokens=1_000, rows=10, money=Decimal("1.5"))))
    caps = Caps(person=Budget(queries=9, rows=10, tokens=500, money=Decimal("1.5")))
    assert await budgets.spend(query("b"), caps, ONE) is None
    over = await budgets.spend(query("c"), caps, Amounts(queries=1, rows=1))
    assert over is not None
    assert over.meter == "rows"
    assert await budgets.spend(query("d"), caps, NOTHING) is None


async def test_however_many_spend_at_once_no_more_than_fit_are_booked(budgets: Budgets) -> None:
    caps = Caps(person=Budget(queries=3), tenant=Budget(queries=5))
    spendings = [query(f"{account.person}-{n}", account) for n in range(10) for account in (ANA, BEN)]
    told = await asyncio.gather(*(budgets.spend(each, caps, ONE) for each in spendings))
    assert told.count(None) == 5
    used = await budgets.used(ANA, DAY)
    assert used.tenant.queries == 5
    assert used.person.queries <= 3
