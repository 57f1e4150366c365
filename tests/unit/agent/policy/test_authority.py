from dataclasses import replace

import pytest

from agent.policy.authority import may_approve
from agent.values.governance import Tier
from agent.values.identity import ApprovalScope, PrincipalId
from semantic_catalog.model import DomainName
from tests.unit.agent.policy.test_resolve import PAYMENTS, person, policy

ANA, BOB = PrincipalId("ana"), PrincipalId("bob")


@pytest.mark.parametrize(
    ("scope", "own_asker", "own_owner", "other_asker", "other_owner"),
    [
        ("none", False, False, False, False),
        ("own", True, False, False, False),
        ("domain", True, False, True, True),
        ("any", True, False, True, True),
    ],
)
def test_a_scope_covers(
    scope: ApprovalScope, own_asker: bool, own_owner: bool, other_asker: bool, other_owner: bool
) -> None:
    ana = person("ana", scope)
    cases: list[tuple[PrincipalId, Tier, bool]] = [
        (ANA, "asker", own_asker),
        (ANA, "owner", own_owner),
        (BOB, "asker", other_asker),
        (BOB, "owner", other_owner),
    ]
    for asker, tier, expected in cases:
        assert may_approve(policy(ana), ana.principal, asker, PAYMENTS, tier) is expected


def test_nobody_signs_in_a_domain_that_they_may_not_read() -> None:
    ana = person("ana", "any", domains=("erp_finance",))
    assert not may_approve(policy(ana), ana.principal, BOB, PAYMENTS, "asker")
    assert may_approve(policy(ana), ana.principal, BOB, DomainName("erp_finance"), "asker")


def test_a_domain_owner_signs_only_in_the_named_domains() -> None:
    ana = person("ana", "domain", domains=("payments", "erp_finance"))
    assert not may_approve(policy(ana), ana.principal, BOB, DomainName("erp_finance"), "asker")


def test_what_counts_is_the_policy_of_now_and_not_of_the_click() -> None:
    before = person("ana", "any")
    now = replace(before, principal=replace(before.principal, may_approve="none"))
    assert not may_approve(policy(now), before.principal, BOB, PAYMENTS, "asker")
    assert not may_approve(policy(), before.principal, BOB, PAYMENTS, "asker")
