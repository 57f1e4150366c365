"""What a thread remembers: the source of truth for references to what was asked before."""

from dataclasses import dataclass
from datetime import date, datetime

from agent.values.governance import CheckedQuery, CostEstimate, Countersignature
from agent.values.identity import PrincipalId, RunId, ThreadKey
from agent.values.personal import PersonalMemory
from agent.values.result import ResultRef, ResultSample, Verification
from agent.values.spec import QuerySpec
from agent.values.usage import NO_USAGE, Usage
from semantic_catalog.model import Locale


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberedRun:
    """One finished run of the thread: what was asked, how it was read, what ran and what came back.

    `request` restates the question so that it needs nothing else of the thread. `assumptions` are those in force, in
    words; `estimate`, `seconds` and `usage` are what it cost.
    """

    run: RunId
    asker: PrincipalId
    question: str
    locale: Locale
    spec: QuerySpec | None
    sql: str
    headline: str
    findings: tuple[str, ...]
    sample: ResultSample | None
    result: ResultRef | None
    finished_at: datetime
    query: CheckedQuery | None = None
    signature: Countersignature | None = None
    verification: Verification | None = None
    data_until: str = ""
    request: str = ""
    revision: int = 0
    assumptions: tuple[str, ...] = ()
    estimate: CostEstimate | None = None
    usage: Usage = NO_USAGE
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadMemory:
    """The newest finished runs of a thread, oldest first. `version` guards against two writers; 0 is empty."""

    thread: ThreadKey
    version: int = 0
    runs: tuple[RememberedRun, ...] = ()

    @property
    def last(self) -> RememberedRun | None:
        """The newest finished run."""
        return self.runs[-1] if self.runs else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A message to understand, with everything that may colour its meaning. `today` is in the domains' clock.

    `pinned` holds what clarifications settled so far: (slot, value) pairs, in order. `rules_only` asks for what costs
    nothing: no model is called. `personal` is what the asker confirmed earlier, in any thread.
    """

    text: str
    locale: Locale | None
    today: date
    memory: ThreadMemory
    pinned: tuple[tuple[str, str], ...] = ()
    assume_defaults: bool = False
    rules_only: bool = False
    personal: tuple[PersonalMemory, ...] = ()
