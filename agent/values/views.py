"""What a person may look at besides answers: lists, already limited to what they may see."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Literal

from agent.values.governance import RiskLevel
from agent.values.identity import PrincipalId, RunId
from agent.values.meters import Amounts, Budget
from agent.values.personal import Meaning
from agent.values.schedule import PauseReason, ScheduleId, ScheduleStatus
from semantic_catalog.model import DomainName

RunStatus = Literal[
    "running",
    "awaiting_approval",
    "needs_clarification",
    "answered",
    "refused",
    "rejected",
    "no_data",
    "failed",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedBefore:
    """One of the person's own questions. `asked_at` is aware."""

    run: RunId
    question: str
    status: str
    asked_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """One thing remembered of the person; `choice` is what a card calls what it stands for."""

    id: str
    meaning: Meaning
    choice: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """A domain the person may ask about: labels of its metrics, and signed questions that run as they stand."""

    domain: DomainName
    label: str
    metrics: tuple[str, ...]
    signed_questions: tuple[str, ...]
    is_paused: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A proposal that the person may approve now. Instants are aware."""

    run: RunId
    title: str
    domain: str
    asked_by: str
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """Everything of one person on one page. `timezone` is where their instants are shown."""

    person: PrincipalId
    offered: tuple[Offered, ...]
    recent: tuple[AskedBefore, ...]
    waiting: tuple[Waiting, ...]
    known: tuple[Known, ...]
    timezone: str
    is_admin: bool = False
    schedules: tuple["Scheduled", ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Undelivered:
    """What no platform took: whose it is, when it was first tried (aware), its run, and the platform's code."""

    who: str
    at: datetime
    run: RunId
    fault: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedToday:
    """Somebody's question of today, without its words: `domain` is a label, empty where none was reached."""

    who: str
    at: datetime
    domain: str
    status: str
    run: RunId


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What one person used today: questions asked, queries run, rows read, tokens of models, money."""

    who: str
    questions: int
    queries: int
    rows: int
    tokens: int = 0
    money: Decimal = Decimal(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetsToday:
    """Limits in force and what was used of them. `limits` are named by their texts (`command.budget_…`); `roles` and
    `tenants` name whose day's budget each is (a tenant '' is every tenant that is not named). The day ends at
    `resets_at`, aware, shown in `timezone`. `currency` is that of money; empty where nothing has a price.
    """

    limits: tuple[tuple[str, float], ...]
    roles: tuple[tuple[str, Budget], ...]
    tenants: tuple[tuple[str, Budget], ...]
    people: tuple[Spent, ...]
    used_by_tenants: tuple[tuple[str, Amounts], ...]
    resets_at: datetime
    timezone: str
    currency: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChecked:
    """Whether an agent's model does what the agents need; `fault` is empty when it does."""

    agent: str
    model: str
    seconds: float
    fault: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheduled:
    """A schedule as people read it, in the reader's language. `next_at`, `condition` and `signed` may be empty.

    `is_fixed`: its dates do not move along. `days` is how long an approval of it would last (0: none is asked for).
    """

    id: ScheduleId
    title: str
    owner: str
    when: str
    status: ScheduleStatus
    why: PauseReason = ""
    condition: str = ""
    period: str = ""
    is_fixed: bool = False
    next_at: str = ""
    signed: str = ""
    risk: RiskLevel = "routine"
    sql: str = ""
    days: int = 0
