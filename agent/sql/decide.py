"""The decision: it may run, a person must sign, or it may not. The only place where a `GovernedQuery` is made."""

from collections.abc import Iterator
from datetime import datetime

from agent.policy.model import HeavyMarks, Policy
from agent.values.governance import (
    Approved,
    CheckedQuery,
    CostEstimate,
    Countersignature,
    Finding,
    GovernedQuery,
    NeedsApproval,
    Refused,
    Risk,
    RiskLevel,
    RuleId,
)
from agent.values.identity import Limits, Principal


def assess(
    query: CheckedQuery, estimate: CostEstimate, principal: Principal, policy: Policy, now: datetime
) -> Approved | NeedsApproval | Refused:
    """What the policy says to a checked query at that cost. `now` is aware; it dates a signature of the policy itself.

    Over a cap it is refused, whoever asks. Otherwise somebody of the risk's tier has to sign, unless the policy lets
    such queries run by themselves.
    """
    limits = policy.limits(principal, query.domain)
    over = _load(estimate, limits)
    if over > 1:
        return Refused(findings=(_too_costly(query, over),))
    risk = risk_of(query, estimate, limits, policy)
    if risk.tier == "auto":
        return sign(query, Countersignature(by=f"policy:{policy.name}", at=now, tier="auto"), limits)
    return NeedsApproval(query=query, estimate=estimate, risk=risk)


def sign(query: CheckedQuery, signature: Countersignature, limits: Limits) -> Approved:
    """The query as a warehouse runs it, within the limits' time and bytes."""
    governed = GovernedQuery(
        query=query,
        signature=signature,
        timeout_seconds=limits.sql_timeout_seconds,
        byte_limit=limits.max_result_bytes,
    )
    return Approved(query=governed)


def risk_of(query: CheckedQuery, estimate: CostEstimate, limits: Limits, policy: Policy) -> Risk:
    """How much care the query needs, why, and who signs."""
    rules = policy.approval_in(query.domain)
    heavy = tuple(_heavy_reasons(estimate, limits, rules.heavy))
    sensitive = tuple(_sensitive_reasons(query))
    level: RiskLevel = "sensitive" if sensitive else "heavy" if heavy else "routine"
    written = {"model": ("written_by_model",), "edited": ("edited_by_hand",)}.get(query.origin, ())
    return Risk(level=level, tier=rules.tiers.of(level, query.origin), reasons=(*sensitive, *heavy, *written))


def _sensitive_reasons(query: CheckedQuery) -> Iterator[str]:
    if query.sensitive:
        yield "sensitive_source"
    if query.sensitive_metrics:
        yield "sensitive_metric"


def _heavy_reasons(estimate: CostEstimate, limits: Limits, marks: HeavyMarks) -> Iterator[str]:
    if estimate.plan_cost > limits.max_plan_cost * marks.cost:
        yield "high_cost"
    if estimate.max_node_rows > limits.max_plan_rows * marks.rows:
        yield "many_rows"
    if estimate.relation_bytes > limits.max_relation_bytes * marks.bytes:
        yield "large_tables"
    if marks.full_scans and estimate.full_scans:
        yield "full_scan"
    if marks.result_rows is not None and estimate.root_rows > marks.result_rows:
        yield "large_result"


def _load(estimate: CostEstimate, limits: Limits) -> float:
    """The estimate as a multiple of the cap that it comes nearest to, or exceeds most."""
    return max(
        estimate.plan_cost / limits.max_plan_cost,
        max(estimate.max_node_rows, estimate.root_rows) / limits.max_plan_rows,
        estimate.relation_bytes / limits.max_relation_bytes,
    )


def _too_costly(query: CheckedQuery, over: float) -> Finding:
    params = (("times", f"{over:.1f}"), ("sources", ", ".join(query.sources)))
    return Finding(rule=RuleId.COST, severity="refuse", params=params, security=False)
