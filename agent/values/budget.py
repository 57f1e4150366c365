"""What a person and a tenant used of a day, what they may, and what does not fit."""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Literal

from agent.values.identity import PrincipalId, RunId, ThreadKey
from agent.values.meters import METERS, NOTHING, UNLIMITED, Amounts, Budget, Meter
from semantic_catalog.model import DomainName

Scope = Literal["person", "tenant"]

SCOPES: tuple[Scope, ...] = ("person", "tenant")


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Whose budgets are used: those of a person, and of the tenant whose thread the question was asked in."""

    person: PrincipalId
    tenant: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Used:
    """What an account used of a day."""

    person: Amounts = NOTHING
    tenant: Amounts = NOTHING


@dataclass(frozen=True, slots=True, kw_only=True)
class Caps:
    """What an account may use in a day."""

    person: Budget = UNLIMITED
    tenant: Budget = UNLIMITED


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """Something used, once: `once` names the run and the step. `domain` is None where no data was read."""

    once: str
    run: RunId
    account: Account
    day: date
    amounts: Amounts
    domain: DomainName | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Exceeded:
    """A limit that what is needed does not fit."""

    scope: Scope
    meter: Meter
    used: Decimal
    limit: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetDay:
    """The calendar day that budgets are counted by in `timezone`; it ends at the aware instant `resets_at`."""

    day: date
    resets_at: datetime
    timezone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Overrun:
    """A limit that was reached, the day it belongs to, and what money is counted in (empty: nothing has a price)."""

    exceeded: Exceeded
    day: BudgetDay
    currency: str = ""

    @property
    def limit_name(self) -> str:
        """What metrics and audit call it: `person_queries`, `tenant_rows` …"""
        return f"{self.exceeded.scope}_{self.exceeded.meter}"

    @property
    def rule(self) -> str:
        """The rule of the refusal, and its text (`refusal.<rule>`)."""
        return f"budget_{self.limit_name}"


def exceeded(used: Used, caps: Caps, needed: Amounts) -> Exceeded | None:
    """The first limit that what is needed does not fit, the person's before the tenant's. Of what is not needed,
    nothing can be exceeded.
    """
    for scope in SCOPES:
        amounts: Amounts = getattr(used, scope)
        budget: Budget = getattr(caps, scope)
        for meter in METERS:
            need, limit = needed.of(meter), budget.of(meter)
            if limit is not None and need > 0 and amounts.of(meter) + need > limit:
                return Exceeded(scope=scope, meter=meter, used=amounts.of(meter), limit=limit)
    return None


def tenant_of(thread: ThreadKey) -> str:
    """The tenant that a thread belongs to: `slack:<team>`, `teams:<tenant>`, `console`."""
    channel, tenant, *_ = (*thread.split(":"), "")
    return "console" if channel == "console" else f"{channel}:{tenant}"
