"""What may be used in a day, and what was: queries, rows, tokens and money, of a person and of a tenant."""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Literal

from agent.values.identity import PrincipalId, RunId, ThreadKey
from semantic_catalog.model import DomainName

Meter = Literal["queries", "rows", "tokens", "money"]
Scope = Literal["person", "tenant"]

METERS: tuple[Meter, ...] = ("queries", "rows", "tokens", "money")
SCOPES: tuple[Scope, ...] = ("person", "tenant")


@dataclass(frozen=True, slots=True, kw_only=True)
class Amounts:
    """How much of each was used, or is needed. Money is in the currency of the agents' file, exact to a millionth."""

    queries: int = 0
    rows: int = 0
    tokens: int = 0
    money: Decimal = Decimal(0)

    def of(self, meter: Meter) -> Decimal:
        """The amount of one of them."""
        return Decimal(getattr(self, meter))


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The most that may be used in a day; None: as much as is wanted."""

    queries: int | None = None
    rows: int | None = None
    tokens: int | None = None
    money: Decimal | None = None

    def of(self, meter: Meter) -> Decimal | None:
        """The limit of one of them."""
        limit = getattr(self, meter)
        return None if limit is None else Decimal(limit)


UNLIMITED = Budget()


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Whose budgets are used: those of a person, and of the tenant whose thread the question was asked in."""

    person: PrincipalId
    tenant: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Used:
    """What an account used of a day."""

    person: Amounts = Amounts()
    tenant: Amounts = Amounts()


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
    """A limit that was reached, and the day it belongs to."""

    exceeded: Exceeded
    day: BudgetDay

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
