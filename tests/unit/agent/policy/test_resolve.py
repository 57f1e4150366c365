import pytest

from agent.policy.model import Identity, Person, Policy
from agent.policy.resolve import approvers, resolve
from agent.values.identity import ApprovalScope, ChannelName, ExternalUser, Principal, PrincipalId, TenantId, UserId
from semantic_catalog.model import DomainName

PAYMENTS = DomainName("payments")


def person(name: str, scope: ApprovalScope = "none", domains: tuple[str, ...] = ("payments",)) -> Person:
    principal = Principal(
        id=PrincipalId(name),
        roles=(),
        domains=tuple(map(DomainName, domains)),
        may_approve=scope,
        approval_domains=(PAYMENTS,) if scope == "domain" else (),
        display_name=name.title(),
    )
    identities = (
        Identity(channel="slack", tenant=TenantId("T1"), user_id=UserId(f"U-{name}")),
        Identity(channel="teams", tenant=TenantId("tenant"), user_id=UserId(f"object-{name}")),
        Identity(channel="console", tenant=TenantId(""), user_id=UserId(name)),
    )
    return Person(principal=principal, identities=identities, emails=(f"{name}@example.com",))


def policy(*people: Person) -> Policy:
    return Policy(name="acme", version="1", people=people)


def user(channel: ChannelName, tenant: str, user_id: str, email: str | None = None) -> ExternalUser:
    return ExternalUser(channel=channel, tenant=TenantId(tenant), user_id=UserId(user_id), email=email)


@pytest.mark.parametrize(
    "known",
    [
        user("slack", "T1", "U-ana"),
        user("teams", "tenant", "object-ana"),
        user("console", "local", "ana"),
        user("slack", "T9", "U-other", "Ana@Example.com "),
    ],
)
def test_a_person_is_found_by_any_of_their_names(known: ExternalUser) -> None:
    found = resolve(policy(person("bob"), person("ana")), known)
    assert found is not None
    assert found.id == "ana"


@pytest.mark.parametrize(
    "stranger",
    [
        user("slack", "T2", "U-ana"),
        user("slack", "T1", "object-ana"),
        user("teams", "T1", "U-ana"),
        user("console", "local", "eve", "ana@example.com"),
        user("slack", "T1", "U-eve"),
        user("slack", "T1", "U-eve", ""),
    ],
)
def test_a_stranger_is_nobody(stranger: ExternalUser) -> None:
    assert resolve(policy(person("ana")), stranger) is None


def test_the_platforms_id_comes_before_the_email() -> None:
    found = resolve(policy(person("bob"), person("ana")), user("slack", "T1", "U-ana", "bob@example.com"))
    assert found is not None
    assert found.id == "ana"


def test_the_asker_comes_first_among_those_who_may_sign() -> None:
    rules = policy(person("zoe", "any"), person("ana", "own"), person("bob", "domain"), person("eve"))
    assert [p.id for p in approvers(rules, PAYMENTS, PrincipalId("ana"))] == ["ana", "zoe", "bob"]
    assert rules.approver_names(PAYMENTS, PrincipalId("ana")) == ("Ana", "Zoe", "Bob")


def test_a_second_person_is_never_the_asker() -> None:
    rules = policy(person("zoe", "any"), person("ana", "own"), person("bob", "domain"))
    assert [p.id for p in approvers(rules, PAYMENTS, PrincipalId("zoe"), "owner")] == ["bob"]


def test_without_anybody_who_may_sign_there_is_no_approver() -> None:
    assert approvers(policy(person("ana"), person("eve")), PAYMENTS, PrincipalId("ana")) == ()
    assert policy(person("ana", "own")).approver_names(PAYMENTS, PrincipalId("ana"), "owner") == ()
