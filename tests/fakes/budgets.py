"""The `Budgets` port in memory; it passes the contract suite."""

from collections import defaultdict
from datetime import date

from agent.values.budget import Account, Caps, Exceeded, Spending, Used, exceeded
from agent.values.meters import NOTHING, Amounts


class InMemoryBudgets:
    """What was spent, by day and account."""

    def __init__(self) -> None:
        self.spendings: dict[str, Spending] = {}
        self._people: defaultdict[tuple[date, str], Amounts] = defaultdict(Amounts)
        self._tenants: defaultdict[tuple[date, str], Amounts] = defaultdict(Amounts)

    async def used(self, account: Account, day: date) -> Used:
        return Used(person=self._people[day, account.person], tenant=self._tenants[day, account.tenant])

    async def spend(self, spending: Spending, caps: Caps, needed: Amounts) -> Exceeded | None:
        account, day = spending.account, spending.day
        if spending.once in self.spendings:
            return None
        over = exceeded(await self.used(account, day), caps, needed)
        if over is None:
            self.spendings[spending.once] = spending
            self._people[day, account.person] = _sum(self._people[day, account.person], spending.amounts)
            self._tenants[day, account.tenant] = _sum(self._tenants[day, account.tenant], spending.amounts)
        return over

    async def book(self, spending: Spending) -> None:
        await self.spend(spending, Caps(), NOTHING)


def _sum(one: Amounts, other: Amounts) -> Amounts:
    return Amounts(
        queries=one.queries + other.queries,
        rows=one.rows + other.rows,
        tokens=one.tokens + other.tokens,
        money=one.money + other.money,
    )
