"""Who may sign a query. Nobody unless the policy says so; the tier `owner` needs a second person."""

from agent.policy.model import Policy
from agent.policy.signing import may_sign
from agent.values.governance import Tier
from agent.values.identity import Principal, PrincipalId
from semantic_catalog.model import DomainName


def may_approve(policy: Policy, approver: Principal, asker: PrincipalId, domain: DomainName, tier: Tier) -> bool:
    """Whether `approver` may sign a query that `asker` asked in `domain`, as the policy knows them now."""
    known = policy.principal(approver.id)
    return known is not None and may_sign(known, asker, domain, tier)
