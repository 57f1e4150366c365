"""What the policy lets tenants use in a day, by whose clock the day runs, and what reading costs."""

from dataclasses import dataclass
from decimal import Decimal

from agent.values.governance import CostEstimate
from agent.values.meters import UNLIMITED, Budget
from semantic_catalog.model import DomainName

_GIGABYTE = Decimal(10**9)


@dataclass(frozen=True, slots=True, kw_only=True)
class WarehousePrice:
    """What a query of a domain costs, by the planner's estimate: for each unit of its cost, for each 10^9 bytes of the
    relations that it reads.
    """

    per_cost_unit: Decimal = Decimal(0)
    per_gigabyte: Decimal = Decimal(0)

    def of(self, estimate: CostEstimate) -> Decimal:
        """The price of a query, to a millionth."""
        units, read = Decimal(str(estimate.plan_cost)), Decimal(estimate.relation_bytes) / _GIGABYTE
        return (units * self.per_cost_unit + read * self.per_gigabyte).quantize(Decimal("0.000001"))


FREE = WarehousePrice()


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetDefaults:
    """The day's limits of roles, and of tenants, that set none."""

    role: Budget = UNLIMITED
    tenant: Budget = UNLIMITED


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetRules:
    """`tenant` is what all people of one tenant may use together, unless `tenants` names it. `timezone` is where a day
    begins at midnight; None: where the catalog's data lives.
    """

    tenant: Budget = UNLIMITED
    tenants: tuple[tuple[str, Budget], ...] = ()
    timezone: str | None = None
    prices: tuple[tuple[DomainName, WarehousePrice], ...] = ()

    def of_tenant(self, tenant: str) -> Budget:
        """What that tenant (`slack:<team>`, `teams:<tenant>`, `console`) may use in a day."""
        return dict(self.tenants).get(tenant, self.tenant)

    def price_in(self, domain: DomainName) -> WarehousePrice:
        """What queries of that domain cost."""
        return dict(self.prices).get(domain, FREE)


NO_RULES = BudgetRules()
