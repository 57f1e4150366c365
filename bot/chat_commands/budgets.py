"""Limits in force and what was used of them today, for an administrator."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Protocol

from agent.budgeting import budget_day
from agent.deps import Deps
from agent.values.identity import Principal, PrincipalId
from agent.values.meters import NOTHING, Amounts
from agent.values.views import BudgetsToday, Spent
from bot.ports import RunLists
from semantic_catalog.model import DomainName

_MOST_READ = 10_000
_MOST_SHOWN = 50


class BudgetUse(Protocol):
    """What was used of a day's budgets. Raises `agent.errors.StoreUnavailable`."""

    async def by_person(self, day: date, domains: Collection[DomainName]) -> tuple[tuple[PrincipalId, Amounts], ...]:
        """By person, on those domains and on none; the busiest first."""
        ...

    async def by_tenant(self, day: date) -> tuple[tuple[str, Amounts], ...]:
        """By tenant, on every domain."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetReader:
    """Reads budgets and their use. `limits` are named by their texts (`command.budget_…`)."""

    deps: Deps
    lists: RunLists
    use: BudgetUse
    limits: tuple[tuple[str, float], ...]

    async def today(self, person: Principal) -> BudgetsToday:
        """Of people, their use of domains that the administrator may see, and of none; of tenants, all of it."""
        policy, day = self.deps.policy_now(), budget_day(self.deps)
        rules = policy.budgets
        return BudgetsToday(
            limits=self.limits,
            roles=tuple((role.name, role.budget) for role in policy.roles),
            tenants=(("", rules.tenant), *rules.tenants),
            people=await self._people(person),
            used_by_tenants=await self.use.by_tenant(day.day),
            resets_at=day.resets_at,
            timezone=day.timezone,
            currency=self.deps.currency(),
        )

    async def _people(self, person: Principal) -> tuple[Spent, ...]:
        day = budget_day(self.deps)
        records = await self.lists.since(day.resets_at - timedelta(days=1), _MOST_READ)
        asked = Counter(r.asker for r in records if r.domain is None or r.domain in person.domains)
        used = dict(await self.use.by_person(day.day, person.domains))
        everybody = dict.fromkeys((*used, *(who for who, _ in asked.most_common())))
        return tuple(self._spent(who, asked[who], used.get(who, NOTHING)) for who in everybody)[:_MOST_SHOWN]

    def _spent(self, who: PrincipalId, questions: int, used: Amounts) -> Spent:
        known = self.deps.policy_now().principal(who)
        return Spent(
            who=(known.display_name if known else "") or who,
            questions=questions,
            queries=used.queries,
            rows=used.rows,
            tokens=used.tokens,
            money=used.money,
        )
