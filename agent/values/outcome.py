"""What a run ended with, or waits for. Different things to a reader, never mixed."""

from dataclasses import dataclass
from datetime import datetime

from agent.values.governance import CheckedQuery, CostEstimate, Risk
from agent.values.identity import PrincipalId, RunId
from agent.values.personal import Meaning
from agent.values.result import ChartSpec, Kpi, Narrative, ResultRef, ResultSample, Verification
from agent.values.spec import ChartKind, Option, QuerySpec, ReportKind, SlotName
from agent.values.usage import NO_USAGE, Usage
from semantic_catalog.model import CatalogVersion, DimensionName, DomainName, Locale


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptLine:
    """One line of the spec in words: `key` names it (`receipt.<key>`), `value` is in the asker's language."""

    key: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """The spec in words, in the asker's language: a title and only the lines that say something."""

    title: str
    lines: tuple[ReceiptLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A follow-up that runs as it stands."""

    label: str
    question: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What a person is asked to approve. `fingerprint` is the query's: what runs is what was shown.

    `changes` says in words what differs from the last revision. `approvers` are display names; `expires_at` is aware.
    `previous_sql` is the last revision's, where it differs. `turned_down` is the rule that a wanted change broke: then
    this is the last revision again. `standing_days` is how long an approval of the kind would last (0: not offered).
    `tokens_to_come` is what a language model is expected to use after the approval. `offers` are the ways to say a
    wanted change that left something open. `budget_warning` says that it may not fit what is left of the day.
    """

    run: RunId
    revision: int
    locale: Locale
    spec: QuerySpec | None
    receipt: Receipt
    query: CheckedQuery
    estimate: CostEstimate
    risk: Risk
    asked_by: PrincipalId
    asked_by_name: str
    approvers: tuple[str, ...]
    expires_at: datetime
    max_plan_cost: float
    timezone: str
    changes: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    unused_words: tuple[str, ...] = ()
    usage: Usage = NO_USAGE
    previous_sql: str = ""
    turned_down: str = ""
    standing_days: int = 0
    tokens_to_come: int = 0
    offers: tuple[Suggestion, ...] = ()
    budget_warning: str = ""

    @property
    def fingerprint(self) -> str:
        """The fingerprint a decision must carry."""
        return self.query.fingerprint


@dataclass(frozen=True, slots=True, kw_only=True)
class Clarification:
    """One question back, why it is asked, and two to four options. `assumptions` are in `reason` too.

    `words` are the asker's own that it is about (empty where something was left out), `domain` what they are about.
    """

    run: RunId
    locale: Locale
    slot: SlotName
    question: str
    reason: str
    options: tuple[Option, ...]
    round: int = 1
    assumptions: tuple[str, ...] = ()
    words: str = ""
    domain: DomainName | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Drill:
    """A row or bar to open up: the question about that member alone, split `by` another dimension."""

    label: str
    dimension: DimensionName
    value: str
    by: DimensionName


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A checked result with its words. `chart` None means a table says it better; texts are in `locale`.

    `fetched_at` is when an earlier run of the asker fetched the rows, where no query had to run again (aware, UTC).
    `report` is how much of it was asked for; None shows what fits the rows. `sent_as` says by which schedule it comes,
    where nobody asked just now.
    """

    run: RunId
    locale: Locale
    spec: QuerySpec | None
    receipt: Receipt
    query: CheckedQuery
    approved_by: str
    result: ResultRef
    sample: ResultSample
    narrative: Narrative
    kpis: tuple[Kpi, ...]
    verification: Verification
    chart: ChartSpec | None
    suggestions: tuple[Suggestion, ...]
    source_label: str
    data_until: str
    seconds: float
    timezone: str
    assumptions: tuple[str, ...] = ()
    unused_words: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    usage: Usage = NO_USAGE
    fetched_at: datetime | None = None
    charts: tuple[ChartKind, ...] = ()
    drills: tuple[Drill, ...] = ()
    sent_as: str = ""
    report: ReportKind | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """Words without data: greetings, capabilities, what ran before."""

    run: RunId
    locale: Locale
    text: str
    suggestions: tuple[Suggestion, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Not permitted: the rule in words and the next step."""

    run: RunId
    locale: Locale
    rule: str
    message: str
    next_step: str = ""
    suggestions: tuple[Suggestion, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """A person said no (`kind` reject), withdrew it (cancel), let it lapse (expire) or replaced it (superseded)."""

    run: RunId
    locale: Locale
    kind: str
    by_name: str
    at: datetime
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoData:
    """It ran and found nothing; `message` says what is known about why."""

    run: RunId
    locale: Locale
    spec: QuerySpec | None
    receipt: Receipt
    query: CheckedQuery
    message: str
    approved_by: str
    suggestions: tuple[Suggestion, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """It could not be done; nothing is lost. `reference` finds the detail in the log; `code` is the error's."""

    run: RunId
    locale: Locale
    code: str
    message: str
    reference: str
    may_retry: bool = True


Outcome = Answer | Proposal | Clarification | Reply | Refusal | Rejected | NoData | Failure


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """One question's life as the run store keeps it.

    `status` is that of `ask --json`, or `running`. `pending` is what the run waits for, kept so that its card can be
    redrawn at any time; it stays after the decision. `settled` is what clarifications and defaults made of the asker's
    own words: it is remembered only when they confirm it. `moved_by` is the event that answered what was asked back
    last.
    """

    run: RunId
    thread: str
    asker: PrincipalId
    status: str
    question: str
    locale: Locale
    created_at: datetime
    domain: DomainName | None = None
    catalog_version: CatalogVersion | None = None
    fingerprint: str = ""
    revision: int = 0
    expires_at: datetime | None = None
    pending: Proposal | Clarification | None = None
    settled: tuple[Meaning, ...] = ()
    moved_by: str = ""
