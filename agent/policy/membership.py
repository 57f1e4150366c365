"""People with the roles of their groups."""

from collections.abc import Iterable
from dataclasses import replace

from agent.policy.groups import Group, Membership, PlatformGroup
from agent.policy.model import Identity, Person, Policy
from agent.policy.roles import Bearer, Role, principal_with
from agent.values.identity import ExternalUser, Principal, PrincipalId, RoleName

UNKNOWN = Membership()


def guest(user: ExternalUser) -> Person:
    """A person whom the policy does not name: only their groups may give them roles."""
    identity = Identity(channel=user.channel, tenant=user.tenant, user_id=user.user_id)
    principal = PrincipalId(f"{user.channel}:{user.tenant}:{user.user_id}")
    return Person(
        principal=Principal(id=principal, roles=(), domains=(), display_name=user.display_name), identities=(identity,)
    )


def groups_near(policy: Policy, identities: Iterable[Identity]) -> tuple[PlatformGroup, ...]:
    """The platforms' groups that may hold somebody of these identities."""
    places = {(identity.channel, identity.tenant) for identity in identities}
    kept = (group for named in policy.groups for group in named.kept_by)
    return tuple(dict.fromkeys(group for group in kept if (group.channel, group.tenant) in places))


def in_groups(policy: Policy, person: Person, membership: Membership = UNKNOWN) -> Person:
    """The person with what their groups grant and restrict.

    Of a group that no platform answered for, nothing is granted and what it restricts holds: not to know must never
    show more.
    """
    doubtful = {*groups_near(policy, person.identities), *membership.asked} - membership.answered
    held = tuple(group for group in policy.groups if _holds(group, person, membership))
    doubted = [group for group in policy.groups if group not in held and doubtful & set(group.kept_by)]
    shown = person.principal
    bearer = Bearer(
        id=shown.id, name=shown.display_name, locale=shown.locale, groups=tuple(group.name for group in held)
    )
    principal = principal_with(
        bearer,
        _roles(policy, (*person.roles, *(name for group in held for name in group.roles))),
        _roles(policy, [name for group in doubted for name in group.roles]),
    )
    return replace(person, principal=_with_named_domains(principal, policy))


def with_people(policy: Policy, people: Iterable[Person]) -> Policy:
    """The policy with these people in the place of those of the same id, or beside them."""
    changed = {person.principal.id: person for person in people}
    kept = tuple(changed.pop(person.principal.id, person) for person in policy.people)
    return replace(policy, people=(*kept, *changed.values()))


def _holds(group: Group, person: Person, membership: Membership) -> bool:
    return person.principal.id in group.people or bool(membership.held & set(group.kept_by))


def _roles(policy: Policy, names: Iterable[RoleName]) -> tuple[Role, ...]:
    known = {role.name: role for role in policy.roles}
    return tuple(known[name] for name in dict.fromkeys(names))


def _with_named_domains(principal: Principal, policy: Policy) -> Principal:
    """With the domains in which the policy names the principal as an approver."""
    named = (domain for domain in principal.domains if policy.approval_in(domain).approvers.names(principal))
    return replace(principal, approval_domains=tuple(dict.fromkeys((*principal.approval_domains, *named))))
