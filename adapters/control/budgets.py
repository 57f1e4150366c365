"""Budgets over both control stores: PostgreSQL books, Redis or Valkey answers fast."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import date

from adapters.control.postgres.budgets import PostgresBudgetLedger
from adapters.control.redis.budgets import BudgetSums
from agent.errors import CacheUnavailable
from agent.values.budget import Account, Caps, Exceeded, Spending, Used, exceeded
from agent.values.meters import Amounts


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlBudgets:
    """Implements `Budgets`. What Redis lost is read from the ledger, and kept there again; without Redis the ledger
    answers alone. Raises StoreUnavailable.
    """

    ledger: PostgresBudgetLedger
    sums: BudgetSums

    async def used(self, account: Account, day: date) -> Used:
        """See `Budgets`."""
        with suppress(CacheUnavailable):
            known = await self.sums.read(account, day)
            if known is not None:
                return known
        used = await self.ledger.used(account, day)
        await self._keep(account, day, used)
        return used

    async def spend(self, spending: Spending, caps: Caps, needed: Amounts) -> Exceeded | None:
        """See `Budgets`."""
        booked = await self.ledger.spend(spending, caps, needed)
        await self._keep(spending.account, spending.day, booked.used)
        return None if booked.fits else exceeded(booked.used, caps, needed)

    async def book(self, spending: Spending) -> None:
        """See `Budgets`."""
        await self.spend(spending, Caps(), Amounts())

    async def _keep(self, account: Account, day: date, used: Used) -> None:
        # The next booking raises the sums to what they are then.
        with suppress(CacheUnavailable):
            await self.sums.raise_to(account, day, used)
