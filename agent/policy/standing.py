"""Approvals of a kind of question: what a kind is, who may give one, and whether one still counts."""

from hashlib import sha256

from agent.codec import encode
from agent.policy.model import Policy, StandingRule
from agent.policy.signing import may_sign
from agent.values.governance import CheckedQuery, Risk
from agent.values.identity import Principal, PrincipalId
from agent.values.spec import QuerySpec
from agent.values.standing import StandingApproval
from semantic_catalog.model import DomainName

_WRITTEN_BY_US = ("trusted", "compiled")


def kind_of(spec: QuerySpec, query: CheckedQuery) -> str:
    """What two questions of one kind share, as a hash: domain, measures, split, what is filtered by.

    Periods, the members filtered by, the order and the number of rows may differ, and with the period the source: what
    each of them costs, and whether it is sensitive, is judged anew.
    """
    filters = sorted({(item.dimension, item.include) for item in spec.filters})
    comparison = spec.comparison.kind if spec.comparison else None
    shared = (
        *(query.domain, sorted(spec.metrics), sorted(spec.dimensions), spec.grain, filters),
        *(comparison, encode(spec.calculation), sorted({item.metric for item in spec.having})),
    )
    return sha256(repr(shared).encode()).hexdigest()


def offered_days(policy: Policy, query: CheckedQuery, risk: Risk) -> int:
    """How many days an approval of the query's kind would last; 0 where the policy offers none.

    Never for a sensitive query, nor for SQL that a model or a person wrote.
    """
    rule = policy.approval_in(query.domain).standing
    if rule is None or risk.level == "sensitive" or query.origin not in _WRITTEN_BY_US:
        return 0
    return rule.days


def may_grant(policy: Policy, approver: Principal, asker: PrincipalId, domain: DomainName, risk: Risk) -> bool:
    """Whether `approver` may sign for the kind too, as the policy knows them now."""
    rule = policy.approval_in(domain).standing
    known = policy.principal(approver.id)
    return rule is not None and known is not None and _grants(rule, known, asker, domain, risk)


def still_counts(approval: StandingApproval, policy: Policy, query: CheckedQuery, risk: Risk) -> bool:
    """Whether the query may run by an approval of its kind that has not ended: the policy of now decides."""
    granter = policy.principal(approval.granted_by)
    if granter is None or not offered_days(policy, query, risk):
        return False
    riskier = risk.level == "heavy" and approval.level == "routine"
    return not riskier and may_grant(policy, granter, approval.asker, query.domain, risk)


def _grants(rule: StandingRule, approver: Principal, asker: PrincipalId, domain: DomainName, risk: Risk) -> bool:
    return rule.names(approver) and may_sign(approver, asker, domain, risk.tier)
