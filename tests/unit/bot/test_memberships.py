from pathlib import Path

import pytest

from agent.policy.authority import may_approve
from agent.policy.load import load_policy
from agent.policy.resolve import resolve
from agent.values.identity import ChannelName, ExternalUser, PrincipalId, TenantId, UserId
from bot.memberships import GroupedPolicy
from bot.sources import PolicyFile
from semantic_catalog.model import DomainName
from tests.fakes.groups import FakeDirectory
from tests.fakes.stores import InMemoryIdentities

PAYMENTS = DomainName("payments")
ENTRA = "1ead5000-0000-4000-8000-000000000001"
POLICY = """\
version: 1
name: acme
roles:
  analyst: {domains: [payments], may_approve: own}
  lead: {domains: [payments, erp_finance], may_approve: any, limits: {max_plan_rows: 900000}}
  lima:
    domains: [payments]
    row_rules:
      - {domain: payments, sources: [a], column: region, members: [Lima], label: {en: L, es: L, ru: Л}}
people:
  - {id: ana, name: Ana, roles: [analyst], slack: [{team: T1, user: U-ana}], teams: [{tenant: t, object_id: o-ana}]}
  - {id: bob, name: Bob, roles: [analyst], emails: [bob@example.com]}
  - {id: zoe, name: Zoe, console: zoe}
groups:
  leads: {name: Payments leads, roles: [lead], people: [zoe], slack: [{team: T1, group: S1LEADS}]}
  lima:
    name: Lima
    roles: [lima]
    slack: [{team: T1, group: S2LIMA}]
    teams: [{tenant: t, object_id: 1ead5000-0000-4000-8000-000000000001}]
"""


def user(user_id: str, channel: ChannelName = "slack", tenant: str = "T1", email: str | None = None) -> ExternalUser:
    return ExternalUser(
        channel=channel, tenant=TenantId(tenant), user_id=UserId(user_id), display_name=user_id.title(), email=email
    )


ANA, EVE = user("U-ana"), user("U-eve")


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def slack() -> FakeDirectory:
    return FakeDirectory(members={"S1LEADS": set(), "S2LIMA": set()})


@pytest.fixture
def teams() -> FakeDirectory:
    return FakeDirectory()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return written(tmp_path / "policy.yaml", POLICY)


@pytest.fixture
def people(path: Path, slack: FakeDirectory, teams: FakeDirectory) -> GroupedPolicy:
    return GroupedPolicy(PolicyFile(path), {"slack": slack, "teams": teams}, InMemoryIdentities())


async def test_a_person_is_known_by_their_group_alone(people: GroupedPolicy, slack: FakeDirectory) -> None:
    slack.members["S1LEADS"].add("U-eve")
    assert await people.know(EVE)
    eve = resolve(people.current(), EVE)
    assert eve is not None
    assert (eve.id, eve.roles, eve.groups, eve.display_name) == ("slack:T1:U-eve", ("lead",), ("leads",), "U-Eve")
    assert people.current().principal(eve.id) == eve
    assert may_approve(people.current(), eve, PrincipalId("ana"), PAYMENTS, "owner")


async def test_who_is_in_no_group_stays_a_stranger(people: GroupedPolicy) -> None:
    assert await people.know(EVE)
    assert resolve(people.current(), EVE) is None


async def test_a_groups_roles_add_to_the_persons_own(people: GroupedPolicy, slack: FakeDirectory) -> None:
    slack.members["S1LEADS"].add("U-ana")
    await people.know(ANA)
    ana = resolve(people.current(), ANA)
    assert ana is not None
    assert ana.roles == ("analyst", "lead")
    assert ana.limits_in(PAYMENTS).max_plan_rows == 900_000
    assert ana.row_rules == ()


async def test_the_people_a_policy_lists_are_in_its_group(people: GroupedPolicy) -> None:
    zoe = people.current().principal(PrincipalId("zoe"))
    assert zoe is not None
    assert (zoe.roles, zoe.groups) == (("lead",), ("leads",))


async def test_what_a_group_restricts_holds_on_every_platform(people: GroupedPolicy, teams: FakeDirectory) -> None:
    teams.members[ENTRA] = {"o-ana"}
    await people.know(ANA)
    ana = resolve(people.current(), ANA)
    assert ana is not None
    assert [rule.members for rule in ana.row_rules] == [("Lima",)]


async def test_while_nobody_says_a_group_grants_nothing_and_what_it_restricts_holds(
    people: GroupedPolicy, slack: FakeDirectory
) -> None:
    slack.members["S1LEADS"].add("U-ana")
    slack.is_down = True
    assert not await people.know(ANA)
    ana = resolve(people.current(), ANA)
    assert ana is not None
    assert ana.roles == ("analyst",)
    assert [rule.members for rule in ana.row_rules] == [("Lima",)]
    assert not await people.know(EVE)
    assert resolve(people.current(), EVE) is None


async def test_a_platform_without_a_directory_says_nothing(path: Path) -> None:
    people = GroupedPolicy(PolicyFile(path), {}, InMemoryIdentities())
    assert not await people.know(ANA)
    assert await people.know(user("zoe", "console", "local"))


async def test_membership_that_is_gone_is_gone_with_the_next_look(people: GroupedPolicy, slack: FakeDirectory) -> None:
    slack.members["S1LEADS"].add("U-eve")
    await people.know(EVE)
    slack.members["S1LEADS"].clear()
    await people.know_again(PrincipalId("slack:T1:U-eve"), fresh=True)
    assert resolve(people.current(), EVE) is None
    assert slack.asked[-1] == ("U-eve", True)


async def test_who_was_matched_by_e_mail_is_asked_for_under_the_id_seen_last(
    people: GroupedPolicy, slack: FakeDirectory
) -> None:
    slack.members["S1LEADS"].add("U-bob")
    bob = PrincipalId("bob")
    await people.know(user("U-bob", email="Bob@example.com"))
    assert people.current().principal(bob).roles == ("analyst", "lead")  # type: ignore[union-attr]  # a known person
    slack.members["S1LEADS"].clear()
    await people.know_again(bob)
    assert people.current().principal(bob).roles == ("analyst",)  # type: ignore[union-attr]  # a known person
    await people.know(user("U-bob"))
    assert resolve(people.current(), user("U-bob")) is None


async def test_an_edit_of_the_policy_counts_for_people_known_before(
    people: GroupedPolicy, slack: FakeDirectory, path: Path
) -> None:
    slack.members["S1LEADS"].update({"U-ana", "U-eve"})
    await people.know(ANA)
    await people.know(EVE)
    written(path, POLICY.replace("roles: [lead]", "roles: [analyst]"))
    eve, ana = resolve(people.current(), EVE), resolve(people.current(), ANA)
    assert eve is not None
    assert ana is not None
    assert eve.roles == ana.roles == ("analyst",)
    written(path, POLICY.replace("slack: [{team: T1, group: S1LEADS}]", ""))
    assert resolve(people.current(), EVE) is None


async def test_without_platform_groups_nobody_is_asked_for(path: Path, slack: FakeDirectory) -> None:
    written(path, POLICY.partition("groups:")[0].replace("console: zoe", "roles: [lead]"))
    people = GroupedPolicy(PolicyFile(path), {"slack": slack}, InMemoryIdentities())
    assert await people.know(ANA)
    assert slack.asked == []
    assert people.current() is people.current()


def test_approvers_are_named_as_people_and_as_groups(path: Path) -> None:
    policy = load_policy(path)
    assert policy.approver_names(PAYMENTS, PrincipalId("ana")) == ("Ana", "Zoe", "Payments leads")
    assert policy.approver_names(DomainName("scrap_prices"), PrincipalId("ana")) == ()
