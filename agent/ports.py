"""What the analyst asks of the outside world. Each port speaks our values, never a driver's or a vendor's."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal, Protocol

from agent.policy.model import Policy
from agent.values.budget import Account, Caps, Exceeded, Spending, Used
from agent.values.completion import Completion, Prompt
from agent.values.fetched import Fetched
from agent.values.governance import CheckedQuery, CostEstimate, GovernedQuery
from agent.values.identity import Principal, PrincipalId, RunId, ThreadKey
from agent.values.known_answer import KnownAnswer
from agent.values.memory import Question, ThreadMemory
from agent.values.meters import Amounts
from agent.values.personal import PersonalMemory
from agent.values.result import ResultColumn, ResultRef, ResultTable, Row
from agent.values.spec import QuerySpec, Understanding
from agent.values.standing import StandingApproval
from semantic_catalog.model import Catalog, Dialect, DimensionName, DomainName


class Clock(Protocol):
    """Time as the product sees it; the demo and the tests fix it."""

    def now(self) -> datetime:
        """The instant, aware, in UTC."""
        ...

    def today(self, timezone: str) -> date:
        """The day in that zone."""
        ...


class CatalogSource(Protocol):
    """The catalog in force; a reload swaps it whole."""

    def current(self) -> Catalog:
        """The newest valid catalog."""
        ...


class Interpreter(Protocol):
    """Turns a message into a meaning, on behalf of one principal."""

    async def interpret(self, question: Question, principal: Principal) -> Understanding:
        """The meaning; never a guess: what is not understood is a slot or an unused word."""
        ...


class PolicySource(Protocol):
    """The policy in force; an edit of its file swaps it whole."""

    def current(self) -> Policy:
        """The newest valid policy."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class RowBatch:
    """Some rows of a running query. `columns` are the engine's names and SQL types, the same in every batch."""

    columns: tuple[tuple[str, str], ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """Whether a dependency answers; `detail` is for the operator and holds no secret."""

    ok: bool
    detail: str = ""


class Warehouse(Protocol):
    """An engine that runs governed SQL, read only, under a statement timeout and a row cap.

    Every method raises `agent.errors.WarehouseUnavailable` when the engine does not answer, and
    `agent.errors.QueryTimeout` or `agent.errors.QueryFailed` when it refuses this query.
    """

    @property
    def dialect(self) -> Dialect:
        """The dialect SQL is rendered in for this engine."""
        ...

    async def estimate(self, query: CheckedQuery) -> CostEstimate:
        """What the planner expects; runs nothing."""
        ...

    def stream(self, query: GovernedQuery, run: RunId) -> AsyncIterator[RowBatch]:
        """The rows, in batches, at most the query's row limit; at least one batch (maybe empty) names the columns."""
        ...

    async def cancel(self, run: RunId) -> bool:
        """Stop the run's statement; False when none is running here."""
        ...

    async def members(self, source: str, column: str, limit: int, where: str = "") -> tuple[str, ...]:
        """Distinct non-null values of a governed column, as text, sorted, at most `limit`.

        `where` is a row rule over the source's own columns, in the engine's dialect; empty: every row.
        """
        ...

    async def latest(self, source: str, column: str) -> date | None:
        """The last day of data of a governed source (first of the month for month columns); None when empty."""
        ...

    async def health(self) -> Health:
        """Whether the engine answers now."""
        ...


class Warehouses(Protocol):
    """Finds the engine of a domain."""

    def of(self, domain: DomainName) -> Warehouse:
        """The domain's warehouse; `agent.errors.WarehouseUnavailable` when none is configured."""
        ...


class Members(Protocol):
    """The members that dimensions have in the warehouse, for names that the catalog does not list."""

    async def of(
        self, domain: DomainName, dimension: DimensionName, principal: Principal | None = None
    ) -> tuple[str, ...]:
        """The members in rows that the principal may see (None: all), as stored, no older than the cache's time; empty
        where no governed source holds the dimension.

        Raises `agent.errors.WarehouseUnavailable`.
        """
        ...


class ResultStore(Protocol):
    """Keeps result rows, columnar and compressed, until they expire."""

    async def write(
        self, run: RunId, columns: tuple[ResultColumn, ...], rows: Sequence[Row], truncated: bool
    ) -> ResultRef:
        """Store rows once. Writing again for the same run replaces them."""
        ...

    async def write_batches(
        self,
        run: RunId,
        batches: AsyncIterator[Sequence[Row]],
        columns: Callable[[], tuple[ResultColumn, ...]],
        most: int,
    ) -> ResultRef:
        """Store rows as they come, all or none, holding a piece of them at a time; as `write` otherwise.

        Of more than `most` rows the first are kept, and the result is truncated. `columns` is asked after the last row.
        """
        ...

    async def read(self, ref: ResultRef, limit: int | None = None) -> ResultTable:
        """The rows, in order; `agent.errors.ResultExpired` when they are gone. More than `LONG_ROWS` are `LongRows`."""
        ...

    async def expire(self, now: datetime) -> int:
        """Delete what is past its time; how many results went."""
        ...


class Fetches(Protocol):
    """For which query a run's stored rows were fetched: a run that was cut short goes on from them."""

    async def keep(self, fetched: Fetched) -> None:
        """Note it for as long as the rows are stored."""
        ...

    async def of(self, run: RunId) -> Fetched | None:
        """What the run fetched last; None where its rows are others by now, or gone."""
        ...


class MemoryStore(Protocol):
    """Keeps one versioned memory per thread."""

    async def load(self, thread: ThreadKey) -> ThreadMemory:
        """The thread's memory; an empty one of version 0 when there is none."""
        ...

    async def save(self, memory: ThreadMemory) -> bool:
        """Store `memory` as version + 1 if the stored version is still `memory.version`; False otherwise."""
        ...


class KnownMeanings(Protocol):
    """What people confirmed about their own words and habits."""

    async def of(self, person: PrincipalId, now: datetime) -> tuple[PersonalMemory, ...]:
        """The person's memories that have not lapsed at `now`, oldest first; nobody else's."""
        ...

    async def used(self, person: PrincipalId, ids: tuple[str, ...], now: datetime) -> None:
        """Those memories of the person answered a question at `now`: they last from then on."""
        ...


class Pauses(Protocol):
    """Domains that an administrator paused."""

    def is_paused(self, domain: DomainName) -> bool:
        """Whether nothing may be read from the domain now."""
        ...


class Surroundings(Protocol):
    """The conversation that a run is asked in."""

    async def refuses(self, domain: DomainName) -> bool:
        """Whether the policy lets nothing of the domain be asked there, because of who reads along."""
        ...


class ThreadTables(Protocol):
    """Tables of a thread that governed rows are compared with."""

    async def put_beside(self, asker: PrincipalId, theirs: QuerySpec, ours: QuerySpec, rows: ResultTable) -> QuerySpec:
        """Load the rows of `ours` beside the file of `theirs`, for `asker` alone; the question about both.

        Raises `agent.errors.NotComparable` where they share neither time nor a dimension that was asked for.
        """
        ...


class KnownApprovals(Protocol):
    """Approvals of kinds of questions that people gave before."""

    async def find(self, kind: str, asker: PrincipalId, now: datetime) -> StandingApproval | None:
        """The asker's approval of that kind that has neither ended nor been revoked at `now`."""
        ...


class KnownAnswers(Protocol):
    """Which stored rows answered a question before, by a key that its asker, policy, catalog and data are part of.

    A cache: each entry ends after a short time. Both methods raise `agent.errors.CacheUnavailable`.
    """

    async def find(self, key: str) -> KnownAnswer | None:
        """What was kept under the key and has not ended."""
        ...

    async def keep(self, key: str, known: KnownAnswer) -> None:
        """Keep it, in the place of what was there."""
        ...


class Stops(Protocol):
    """Wishes to stop a run, from any process. A cache keeps them: without it nothing is stopped from elsewhere."""

    async def is_cancelled(self, run: RunId) -> bool:
        """Whether somebody asked the run to stop. Raises `agent.errors.CacheUnavailable`."""
        ...


class Progress(Protocol):
    """Where a run says what it is doing; a failure here never fails the run."""

    async def step(self, run: RunId, step: str) -> None:
        """`step` is a text key (`progress.<step>`)."""
        ...


class Budgets(Protocol):
    """What people and tenants used of a day, booked for good and each spending once. Raises
    `agent.errors.StoreUnavailable`.
    """

    async def used(self, account: Account, day: date) -> Used:
        """What the account used of the day, for a look before something is begun: it may be one spending old."""
        ...

    async def spend(self, spending: Spending, caps: Caps, needed: Amounts) -> Exceeded | None:
        """Book the spending, unless what is `needed` does not fit the caps: then the limit that it does not fit.

        However many processes spend at once, they never pass a cap by what they need. A spending that was booked
        before fits, and is not booked again.
        """
        ...

    async def book(self, spending: Spending) -> None:
        """Book what was used already, once, whether it fits or not."""
        ...


BreakerState = Literal["closed", "half_open", "open"]


class Measures(Protocol):
    """What the service counts about itself. Every argument is a name of ours or of the configuration: never a person,
    an id or a text.
    """

    def step(self, name: str, trace: str = "") -> AbstractContextManager[None]:
        """Time what happens inside, as one step of the turn that is being handled; its error goes on to the caller.

        `trace` is the turn's, for what is done for it after it was handled.
        """
        ...

    def breaker(self, dependency: str, state: BreakerState) -> None:
        """The circuit breaker of a dependency (`model_<agent>`, `warehouse_<domain>`) is in that state now."""
        ...

    def limited(self, limit: str) -> None:
        """Something was turned away, or made to wait, by the limit of that name (`person_minute`, `tenant_rows` …)."""
        ...


class Model(Protocol):
    """A language model that answers with one JSON object.

    Failures are `agent.errors.ModelError`: `ModelUnavailable`, `ModelTimeout`, `ModelRateLimited`, `ModelRefused` or
    `ModelMalformed`. What passes by itself was tried again before that.
    """

    @property
    def prompt_tokens(self) -> int:
        """How many tokens rules and material may take together."""
        ...

    async def complete(self, prompt: Prompt) -> Completion:
        """The model's object and what the call cost."""
        ...


class Embedder(Protocol):
    """Turns texts into vectors of one length, so that texts of like meaning lie near each other.

    Raises `agent.errors.ModelError`.
    """

    async def documents(self, texts: tuple[str, ...]) -> tuple[tuple[float, ...], ...]:
        """A vector for each text that may be found."""
        ...

    async def query(self, text: str) -> tuple[float, ...]:
        """The vector of what is looked for."""
        ...
