from dataclasses import replace
from datetime import UTC, datetime

import pytest

from agent.policy.model import ApprovalRules, HeavyMarks, Person, Policy, Tiers
from agent.sql.decide import assess, sign
from agent.values.governance import (
    Approved,
    CheckedQuery,
    CostEstimate,
    Countersignature,
    NeedsApproval,
    Origin,
    Refused,
    Risk,
    RuleId,
)
from agent.values.identity import Limits, Principal, PrincipalId
from agent.wording.texts import say
from semantic_catalog.model import LOCALES, DomainName
from tests.unit.agent.sql.shop import decide

NOW = datetime(2026, 11, 1, 15, tzinfo=UTC)
LIMITS = Limits(max_plan_rows=1_000, max_plan_cost=100, max_relation_bytes=10_000, sql_timeout_seconds=7)
ANA = Principal(id=PrincipalId("ana"), roles=(), domains=(DomainName(""),), limits=LIMITS)
CHEAP = CostEstimate(plan_cost=1, root_rows=1, max_node_rows=1, relation_bytes=1)
AUTO = Tiers(
    routine="auto", heavy="asker", sensitive="owner", trusted="auto", compiled="auto", model="owner", edited="asker"
)


def policy(tiers: Tiers | None = None, heavy: HeavyMarks | None = None) -> Policy:
    rules = ApprovalRules(tiers=tiers or Tiers(), heavy=heavy or HeavyMarks())
    return Policy(name="acme", version="1", people=(Person(principal=ANA),), approval=rules)


def query(origin: Origin = "compiled") -> CheckedQuery:
    answer = decide("SELECT name FROM customers", origin=origin)
    assert isinstance(answer, CheckedQuery)
    return answer


def risk(estimate: CostEstimate, checked: CheckedQuery | None = None, rules: Policy | None = None) -> Risk:
    verdict = assess(checked or query(), estimate, ANA, rules or policy(), NOW)
    assert isinstance(verdict, NeedsApproval)
    return verdict.risk


def test_by_default_everything_needs_a_person() -> None:
    for origin in ("trusted", "compiled", "model", "edited"):
        assert isinstance(assess(query(origin), CHEAP, ANA, policy(), NOW), NeedsApproval)


def test_a_cheap_question_is_routine() -> None:
    assert risk(CHEAP) == Risk(level="routine", tier="asker")


@pytest.mark.parametrize(
    ("estimate", "reason"),
    [
        (replace(CHEAP, plan_cost=60), "high_cost"),
        (replace(CHEAP, max_node_rows=600), "many_rows"),
        (replace(CHEAP, relation_bytes=6_000), "large_tables"),
    ],
)
def test_a_large_part_of_a_cap_is_heavy_and_not_refused(estimate: CostEstimate, reason: str) -> None:
    assert risk(estimate) == Risk(level="heavy", tier="asker", reasons=(reason,))


def test_a_full_scan_is_heavy_where_the_policy_says_so() -> None:
    scan = replace(CHEAP, full_scans=("orders",))
    assert risk(scan).level == "routine"
    assert risk(scan, rules=policy(heavy=HeavyMarks(full_scans=True))).reasons == ("full_scan",)


@pytest.mark.parametrize(
    "estimate",
    [
        replace(CHEAP, plan_cost=150),
        replace(CHEAP, max_node_rows=1_500),
        replace(CHEAP, root_rows=1_500),
        replace(CHEAP, relation_bytes=15_000),
    ],
)
def test_over_a_cap_it_is_refused_with_what_to_narrow(estimate: CostEstimate) -> None:
    verdict = assess(query(), estimate, ANA, policy(AUTO), NOW)
    assert isinstance(verdict, Refused)
    (finding,) = verdict.findings
    assert finding.rule == RuleId.COST
    assert not finding.security
    for locale in LOCALES:
        assert "1.5" in say(locale, "refusal.cost", **dict(finding.params))


def test_exactly_at_the_cap_it_is_not_refused() -> None:
    assert isinstance(assess(query(), replace(CHEAP, plan_cost=100), ANA, policy(), NOW), NeedsApproval)


def test_a_sensitive_source_needs_a_second_person() -> None:
    assert risk(CHEAP, replace(query(), sensitive=("customers",))) == Risk(
        level="sensitive", tier="owner", reasons=("sensitive_source",)
    )


@pytest.mark.parametrize(("origin", "reason"), [("model", "written_by_model"), ("edited", "edited_by_hand")])
def test_sql_that_nobody_compiled_says_so_and_needs_a_second_person(origin: Origin, reason: str) -> None:
    assert risk(CHEAP, query(origin)) == Risk(level="routine", tier="owner", reasons=(reason,))


def test_the_policy_signs_by_itself_only_where_both_tiers_let_it() -> None:
    verdict = assess(query("trusted"), CHEAP, ANA, policy(AUTO), NOW)
    assert isinstance(verdict, Approved)
    assert verdict.query.signature == Countersignature(by="policy:acme", at=NOW, tier="auto")
    assert isinstance(assess(query("trusted"), replace(CHEAP, plan_cost=90), ANA, policy(AUTO), NOW), NeedsApproval)
    assert isinstance(assess(query("edited"), CHEAP, ANA, policy(AUTO), NOW), NeedsApproval)


def test_caps_of_the_domain_come_before_the_persons_own() -> None:
    wide = replace(ANA, domain_limits=((DomainName(""), replace(LIMITS, max_plan_cost=1_000)),))
    rules = replace(policy(), people=(Person(principal=wide),))
    assert isinstance(assess(query(), replace(CHEAP, plan_cost=150), ANA, rules, NOW), NeedsApproval)


def test_what_is_signed_runs_within_the_limits_time() -> None:
    signature = Countersignature(by="ana", at=NOW, tier="asker")
    signed = sign(query(), signature, LIMITS)
    assert signed.query.timeout_seconds == 7
    assert signed.query.query == query()
    assert signed.query.signature == signature


@pytest.mark.parametrize("reason", ["high_cost", "many_rows", "large_tables", "full_scan", "sensitive_source"])
def test_every_reason_can_be_said(reason: str) -> None:
    assert all(say(locale, f"risk.{reason}") for locale in LOCALES)
