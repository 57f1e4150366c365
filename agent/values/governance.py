"""SQL that may run, why, at what cost and with whose signature."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal

from agent.values.feedback import QuickEdit
from agent.values.identity import PrincipalId
from semantic_catalog.model import CatalogVersion, Dialect, DomainName, Locale, MetricName

Origin = Literal["trusted", "compiled", "model", "edited"]
Tier = Literal["auto", "asker", "owner"]
RiskLevel = Literal["routine", "heavy", "sensitive"]
SqlValue = str | int | float | bool | None


class RuleId(StrEnum):
    """Every reason the guard refuses, rewrites or asks for. The value is stable: texts and audit refer to it."""

    TOO_LARGE = "too_large"
    HIDDEN_TEXT = "hidden_text"
    UNPARSABLE = "unparsable"
    ONE_STATEMENT = "one_statement"
    READ_ONLY = "read_only"
    UNKNOWN_CONSTRUCT = "unknown_construct"
    RECURSION = "recursion"
    GENERATED_ROWS = "generated_rows"
    TEXT_GROWTH = "text_growth"
    PATTERN = "pattern"
    SOURCE_NOT_ALLOWED = "source_not_allowed"
    SYSTEM_SCHEMA = "system_schema"
    COLUMN_NOT_ALLOWED = "column_not_allowed"
    FUNCTION_NOT_ALLOWED = "function_not_allowed"
    CARTESIAN_JOIN = "cartesian_join"
    UNGROUPED_COLUMN = "ungrouped_column"
    ROLLUP = "rollup"
    TIME_FILTER = "time_filter"
    TIME_WINDOW = "time_window"
    ROW_LIMIT = "row_limit"
    ROW_RULE = "row_rule"
    REQUIRED_JOIN = "required_join"
    REQUIRED_FILTER = "required_filter"
    NOT_RUNNABLE = "not_runnable"
    COST = "cost"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One rule's verdict on a query. `params` fill the text `refusal.<rule>`; they name only what the asker may see.

    `refuse` ends it; `repair` may be mended and tried again; `security` findings are never retried.
    """

    rule: RuleId
    severity: Literal["refuse", "rewrite", "ask"]
    params: tuple[tuple[str, str], ...] = ()
    security: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedQuery:
    """SQL that every rule has passed, with row rules and the row limit already in it; not yet countersigned.

    `sql` holds no placeholders: all literals are part of what is shown and approved. `row_limit` is one more than what
    is shown, so that a cut result is known. `fingerprint` hashes SQL, principal, domain and catalog version.
    `limit_added` and `filtered` say whether the row limit was set or capped, and whether a row rule was put in;
    `sensitive` names the sources whose reading is, `sensitive_metrics` the metrics that it shows and that are.
    """

    domain: DomainName
    dialect: Dialect
    sql: str
    sources: tuple[str, ...]
    row_rules: tuple[tuple[tuple[Locale, str], ...], ...]
    row_limit: int
    principal: PrincipalId
    catalog_version: CatalogVersion
    fingerprint: str
    origin: Origin
    limit_added: bool = False
    filtered: bool = False
    sensitive: tuple[str, ...] = ()
    sensitive_metrics: tuple[MetricName, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Countersignature:
    """Who let the query run: a person, a written policy (`by` is then `policy:<name>`), or a person who signed for
    its kind before (`standing:<their name>`).
    """

    by: str
    at: datetime
    tier: Tier


@dataclass(frozen=True, slots=True, kw_only=True)
class GovernedQuery:
    """The only thing a warehouse runs. Built in `agent/sql/decide.py` and nowhere else."""

    query: CheckedQuery
    signature: Countersignature
    timeout_seconds: float
    byte_limit: int = 67_108_864


@dataclass(frozen=True, slots=True, kw_only=True)
class CostEstimate:
    """What the engine expects: planner units, rows, bytes of the relations read, seconds (None: not known)."""

    plan_cost: float
    root_rows: int
    max_node_rows: int
    relation_bytes: int
    full_scans: tuple[str, ...] = ()
    seconds: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Risk:
    """How much care the query needs; `reasons` are text keys (`risk.<reason>`) with the tier they lead to."""

    level: RiskLevel
    tier: Tier
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Approved:
    """It may run now."""

    query: GovernedQuery


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedsApproval:
    """It may run once somebody of `risk.tier` signs."""

    query: CheckedQuery
    estimate: CostEstimate
    risk: Risk


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """It may not run."""

    findings: tuple[Finding, ...]


Verdict = Approved | NeedsApproval | Refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What became of a proposal, by whom and when (aware, UTC). `text` is the reason or the wanted change.

    `revision` binds it to one version of the proposal (0: whichever has the fingerprint). `event` is the turn it was
    made by, so that the same turn handled again is known from another click. `standing` signs for the kind of question
    too, so that the policy may sign the next ones. `quick` is a change chosen in a form, instead of words.
    """

    kind: Literal["approve", "change", "reject", "cancel", "expire"]
    by: PrincipalId
    at: datetime
    fingerprint: str
    by_name: str = ""
    text: str = ""
    revision: int = 0
    event: str = ""
    standing: bool = False
    quick: QuickEdit | None = None
