from dataclasses import replace
from datetime import timedelta

import pytest

from agent.policy.model import ApprovalRules, Policy, StandingRule
from agent.values.identity import PrincipalId, RoleName
from agent.values.outcome import Proposal, RunRecord
from agent.values.turn import ActionVerb, CardAction
from bot.authority import Click, Standing, standing_of
from semantic_catalog.model import DomainName
from tests.unit.agent.policy.test_resolve import person, policy
from tests.unit.cards import samples

ANA, OLGA, BOB = person("ana", "own"), person("olga", "any"), person("bob", "none")
PROPOSAL: Proposal = replace(samples.proposal(samples.WORDS["en"]), asked_by=PrincipalId("ana"))
RECORD = RunRecord(
    run=samples.RUN,
    thread="console:t",
    asker=PrincipalId("ana"),
    status="awaiting_approval",
    question="q",
    locale="en",
    created_at=samples.NOW,
    domain=DomainName("payments"),
    revision=PROPOSAL.revision,
    pending=PROPOSAL,
)


def standing(
    verb: ActionVerb, by: str, *, record: RunRecord | None = RECORD, under: Policy | None = None, revision: str = "2"
) -> Standing:
    known = under or policy(ANA, OLGA, BOB)
    action = CardAction(verb=verb, run=samples.RUN, fingerprint=PROPOSAL.fingerprint, value=revision)
    at = PROPOSAL.expires_at - timedelta(minutes=1)
    click = Click(action=action, principal=known.principal(PrincipalId(by)), at=at)
    return standing_of(click, record, known)


@pytest.mark.parametrize(
    ("verb", "by", "expected"),
    [
        ("approve", "ana", "may_decide"),
        ("approve", "olga", "may_decide"),
        ("approve", "bob", "stranger"),
        ("approve", "nobody", "stranger"),
        ("reject", "ana", "may_decide"),
        ("reject", "bob", "stranger"),
        ("change", "ana", "may_decide"),
        ("change", "olga", "may_decide"),
        ("change", "bob", "stranger"),
        ("cancel", "ana", "may_decide"),
        ("approve_always", "olga", "not_for_kinds"),
        ("approve_always", "bob", "stranger"),
    ],
)
def test_who_may_press_what(verb: ActionVerb, by: str, expected: Standing) -> None:
    assert standing(verb, by) == expected


def test_the_kind_is_approved_by_the_roles_that_the_policy_names() -> None:
    rules = ApprovalRules(standing=StandingRule(roles=(RoleName("owner"),), days=30))
    owner = replace(OLGA, principal=replace(OLGA.principal, roles=(RoleName("owner"),)))
    known = replace(policy(ANA, owner), approval=rules)
    offered = replace(RECORD, pending=replace(PROPOSAL, standing_days=30))
    assert standing("approve_always", "olga", record=offered, under=known) == "may_decide"
    assert standing("approve_always", "ana", record=offered, under=known) == "not_for_kinds"
    assert standing("approve_always", "olga", under=known) == "not_for_kinds"


def test_the_second_person_of_an_owner_query_is_not_its_asker() -> None:
    record = replace(RECORD, pending=replace(PROPOSAL, risk=replace(PROPOSAL.risk, tier="owner")))
    assert standing("approve", "ana", record=record) == "stranger"
    assert standing("approve", "olga", record=record) == "may_decide"


@pytest.mark.parametrize(
    "record",
    [
        None,
        replace(RECORD, status="running"),
        replace(RECORD, pending=None),
        replace(RECORD, pending=replace(PROPOSAL, query=replace(PROPOSAL.query, fingerprint="0" * 64))),
        replace(RECORD, pending=replace(PROPOSAL, revision=3)),
    ],
    ids=["unknown", "decided", "nothing waits", "other SQL", "a newer version of the same SQL"],
)
def test_a_card_that_is_no_longer_open_is_stale_for_everybody(record: RunRecord | None) -> None:
    assert standing("approve", "ana", record=record) == "stale"


def test_a_click_that_names_no_revision_is_bound_by_its_fingerprint() -> None:
    assert standing("approve", "ana", revision="") == "may_decide"
    assert standing("approve", "ana", revision="1") == "stale"


def test_at_the_end_of_its_time_a_proposal_is_expired() -> None:
    lapsed = replace(RECORD, pending=replace(PROPOSAL, expires_at=PROPOSAL.expires_at - timedelta(minutes=1)))
    assert standing("approve", "ana", record=lapsed) == "expired"
