"""Everything the graphs' steps may call, put together once by the composition root."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Protocol

from agent.errors import NotComparable
from agent.modelling.explainer import Explainer
from agent.modelling.judge import ResultJudge
from agent.modelling.sql_writer import SqlWriter
from agent.policy.model import Policy
from agent.ports import (
    BreakerState,
    Budgets,
    CatalogSource,
    Clock,
    Fetches,
    Interpreter,
    KnownAnswers,
    KnownApprovals,
    KnownMeanings,
    Measures,
    Members,
    MemoryStore,
    Pauses,
    PolicySource,
    Progress,
    ResultStore,
    Stops,
    Surroundings,
    ThreadTables,
    Warehouses,
)
from agent.values.budget import Account, Caps, Exceeded, Spending, Used
from agent.values.fetched import Fetched
from agent.values.identity import Principal, PrincipalId, RunId
from agent.values.known_answer import KnownAnswer
from agent.values.meters import Amounts
from agent.values.personal import PersonalMemory
from agent.values.result import ResultTable
from agent.values.spec import QuerySpec
from agent.values.standing import StandingApproval
from semantic_catalog.errors import AskerError
from semantic_catalog.model import Catalog, DimensionName, DomainName


class PrincipalGone(AskerError):
    """The policy no longer knows the person: no principal, no data."""

    code = "principal_gone"


class NoApprovals:
    """Where no approval of a kind is kept: every question is signed for itself."""

    async def find(self, kind: str, asker: PrincipalId, now: datetime) -> StandingApproval | None:  # noqa: ARG002
        """None."""
        return None


class NoAnswers:
    """Where no answer is kept for the next time: every question is run."""

    async def find(self, key: str) -> KnownAnswer | None:  # noqa: ARG002  # the port's argument
        """None."""
        return None

    async def keep(self, key: str, known: KnownAnswer) -> None:
        """Nothing is kept."""


class NoFetches:
    """Where a run that was cut short fetches its rows again."""

    async def keep(self, fetched: Fetched) -> None:
        """Nothing is noted."""

    async def of(self, run: RunId) -> Fetched | None:  # noqa: ARG002  # the port's argument
        """None."""
        return None


class NoMeanings:
    """Where nothing is remembered of people."""

    async def of(self, person: PrincipalId, now: datetime) -> tuple[PersonalMemory, ...]:  # noqa: ARG002
        """Nothing."""
        return ()

    async def used(self, person: PrincipalId, ids: tuple[str, ...], now: datetime) -> None:
        """Nothing to note."""


class NoPauses:
    """Where no domain can be paused."""

    def is_paused(self, domain: DomainName) -> bool:  # noqa: ARG002  # the port's argument
        """False."""
        return False


class NoMembers:
    """Where no member is known."""

    async def of(
        self,
        domain: DomainName,  # noqa: ARG002
        dimension: DimensionName,  # noqa: ARG002
        principal: Principal | None = None,  # noqa: ARG002
    ) -> tuple[str, ...]:
        """None."""
        return ()


class NoStops:
    """Where nobody can ask a run to stop."""

    async def is_cancelled(self, run: RunId) -> bool:  # noqa: ARG002  # the port's argument
        """False."""
        return False


class NoSurroundings:
    """Where nobody reads along."""

    async def refuses(self, domain: DomainName) -> bool:  # noqa: ARG002  # the port's argument
        """False."""
        return False


class NoTables:
    """Where no thread has files: nothing can be put beside one."""

    async def put_beside(
        self,
        asker: PrincipalId,  # noqa: ARG002  # the port's arguments
        theirs: QuerySpec,
        ours: QuerySpec,  # noqa: ARG002
        rows: ResultTable,  # noqa: ARG002
    ) -> QuerySpec:
        """Raises `NotComparable`."""
        raise NotComparable(name=theirs.domain)


class NoBudgets:
    """Where nobody's use is booked: everything fits."""

    async def used(self, account: Account, day: date) -> Used:  # noqa: ARG002  # the port's arguments
        """Nothing."""
        return Used()

    async def spend(
        self,
        spending: Spending,  # noqa: ARG002
        caps: Caps,  # noqa: ARG002
        needed: Amounts,  # noqa: ARG002
    ) -> Exceeded | None:
        """None."""
        return None

    async def book(self, spending: Spending) -> None:
        """Nothing is kept."""


class NoMeasures:
    """Where nothing is counted."""

    def step(self, name: str, trace: str = "") -> AbstractContextManager[None]:  # noqa: ARG002  # the port's arguments
        """Nothing is timed."""
        return nullcontext()

    def breaker(self, dependency: str, state: BreakerState) -> None:
        """Nothing is kept."""

    def limited(self, limit: str) -> None:
        """Nothing is counted."""


class ModelAgents(Protocol):
    """What models do in the graphs; None where no model is configured for it."""

    @property
    def writer(self) -> SqlWriter | None:
        """Writes SQL that no spec expresses."""
        ...

    @property
    def judge(self) -> ResultJudge | None:
        """Judges results of written SQL."""
        ...

    @property
    def explainer(self) -> Explainer | None:
        """Words answers."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Deps:
    """The ports of one process and the limits of its runs. `writer`, `judge` and `explainer` are there with a model.

    `agents` says which of the three there are now, in their place; ask by `models_now`. `currency` is what budgets of
    money are counted in now; '' where nothing has a price.
    """

    clock: Clock
    catalog: CatalogSource
    policy: PolicySource
    interpreter: Interpreter
    warehouses: Warehouses
    results: ResultStore
    memory: MemoryStore
    progress: Progress
    approvals: KnownApprovals = field(default_factory=NoApprovals)
    answers: KnownAnswers = field(default_factory=NoAnswers)
    fetches: Fetches = field(default_factory=NoFetches)
    members: Members = field(default_factory=NoMembers)
    stops: Stops = field(default_factory=NoStops)
    personal: KnownMeanings = field(default_factory=NoMeanings)
    pauses: Pauses = field(default_factory=NoPauses)
    tables: ThreadTables = field(default_factory=NoTables)
    surroundings: Surroundings = field(default_factory=NoSurroundings)
    measures: Measures = field(default_factory=NoMeasures)
    budgets: Budgets = field(default_factory=NoBudgets)
    currency: Callable[[], str] = str
    writer: SqlWriter | None = None
    judge: ResultJudge | None = None
    explainer: Explainer | None = None
    agents: Callable[[], ModelAgents] | None = None
    max_clarification_rounds: int = 2
    max_attempts: int = 3

    def catalog_now(self) -> Catalog:
        """The catalog in force."""
        return self.catalog.current()

    def policy_now(self) -> Policy:
        """The policy in force."""
        return self.policy.current()

    def models_now(self) -> ModelAgents:
        """The agents that have a model now."""
        return self.agents() if self.agents else self

    def principal(self, principal: str) -> Principal:
        """The principal as the policy knows them now. Raises `PrincipalGone`."""
        found = self.policy_now().principal(PrincipalId(principal))
        if found is None:
            raise PrincipalGone
        return found
