"""What was used of each day's budget, in PostgreSQL: the ledger, and its sums."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from adapters.control.postgres.connections import Pool, connected
from agent.values.budget import Account, Caps, Spending, Used
from agent.values.identity import PrincipalId
from agent.values.meters import METERS, Amounts, Budget
from semantic_catalog.model import DomainName

_SPEND = """
    SELECT * FROM countersign.spend(
        %(once)s, %(run)s, %(day)s, %(person)s, %(tenant)s, %(domain)s,
        %(amounts)s::numeric[], %(needed)s::numeric[], %(person_caps)s::numeric[], %(tenant_caps)s::numeric[]
    )
"""
_USED = """
    SELECT account, ARRAY[queries, result_rows, tokens, money] AS used
    FROM countersign.budget_days WHERE day = %s AND account = ANY(%s)
"""
_PEOPLE = """
    SELECT person, ARRAY[sum(queries), sum(result_rows), sum(tokens), sum(money)] AS used
    FROM countersign.budget_entries WHERE day = %s AND (domain = '' OR domain = ANY(%s))
    GROUP BY person ORDER BY sum(queries) DESC, sum(tokens) DESC, person
"""
_TENANTS = """
    SELECT account, ARRAY[queries, result_rows, tokens, money] AS used
    FROM countersign.budget_days WHERE day = %s AND account LIKE 'tenant:%%' ORDER BY account
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Booked:
    """Whether a spending fitted (or was known already), and what its account has used since."""

    fits: bool
    used: Used


class PostgresBudgetLedger:
    """Each spending once, whichever process books it. Raises StoreUnavailable when the database does not answer."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def spend(self, spending: Spending, caps: Caps, needed: Amounts) -> Booked:
        """Book the spending if what is `needed` fits the caps. One that is known is not booked again, and fits.

        Spendings of one account are booked one after another: together they never exceed a cap by what they need.
        """
        values = {
            "once": spending.once,
            "run": spending.run,
            "day": spending.day,
            "person": spending.account.person,
            "tenant": spending.account.tenant,
            "domain": spending.domain or "",
            "amounts": _numbers(spending.amounts),
            "needed": _numbers(needed),
            "person_caps": _limits(caps.person),
            "tenant_caps": _limits(caps.tenant),
        }
        async with connected(self._pool) as connection:
            row = await (await connection.execute(_SPEND, values)).fetchone()
        assert row is not None
        return Booked(fits=row["fits"], used=Used(person=_amounts(row["of_person"]), tenant=_amounts(row["of_tenant"])))

    async def used(self, account: Account, day: date) -> Used:
        """What the account used of the day."""
        person, tenant = f"person:{account.person}", f"tenant:{account.tenant}"
        async with connected(self._pool) as connection:
            rows = await (await connection.execute(_USED, (day, [person, tenant]))).fetchall()
        by_account = {row["account"]: _amounts(row["used"]) for row in rows}
        return Used(person=by_account.get(person, Amounts()), tenant=by_account.get(tenant, Amounts()))

    async def by_person(self, day: date, domains: Collection[DomainName]) -> tuple[tuple[PrincipalId, Amounts], ...]:
        """What each person used of the day on those domains, and on none; the busiest first."""
        async with connected(self._pool) as connection:
            rows = await (await connection.execute(_PEOPLE, (day, list(domains)))).fetchall()
        return tuple((PrincipalId(row["person"]), _amounts(row["used"])) for row in rows)

    async def by_tenant(self, day: date) -> tuple[tuple[str, Amounts], ...]:
        """What all people of each tenant used of the day together."""
        async with connected(self._pool) as connection:
            rows = await (await connection.execute(_TENANTS, (day,))).fetchall()
        return tuple((row["account"].removeprefix("tenant:"), _amounts(row["used"])) for row in rows)


def _numbers(amounts: Amounts) -> list[Decimal]:
    return [amounts.of(meter) for meter in METERS]


def _limits(budget: Budget) -> list[Decimal | None]:
    return [budget.of(meter) for meter in METERS]


def _amounts(numbers: list[Decimal]) -> Amounts:
    queries, rows, tokens, money = numbers
    return Amounts(queries=int(queries), rows=int(rows), tokens=int(tokens), money=money)
