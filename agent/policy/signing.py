"""Whose signature counts, by each principal's own scope."""

from collections.abc import Iterable

from agent.values.governance import Tier
from agent.values.identity import Principal, PrincipalId
from semantic_catalog.model import DomainName


def may_sign(approver: Principal, asker: PrincipalId, domain: DomainName, tier: Tier) -> bool:
    """Whether a principal's own scope covers the query. Nobody signs in a domain that they may not read."""
    is_own = approver.id == asker
    if domain not in approver.domains or (tier == "owner" and is_own):
        return False
    named = domain in approver.approval_domains
    return named or {"none": False, "own": is_own, "domain": False, "any": True}[approver.may_approve]


def signatories(
    principals: Iterable[Principal], domain: DomainName, asker: PrincipalId, tier: Tier
) -> tuple[Principal, ...]:
    """Everybody who may sign, the asker first where they may."""
    found = [principal for principal in principals if may_sign(principal, asker, domain, tier)]
    return tuple(sorted(found, key=lambda principal: principal.id != asker))
