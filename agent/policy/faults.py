"""What no single part of a policy file shows: names that lead nowhere, and names that are written twice."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from agent.policy.compose import identities
from agent.policy.file import ApprovalPart, GroupPart, NamedPart, PersonPart, RolePart, RulesPart
from semantic_catalog.issues import nearest

KeyPath = tuple[str | int, ...]
Fault = tuple[KeyPath, str]
_Key = TypeVar("_Key")
_Part = TypeVar("_Part", bound=BaseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadParts:
    """The parts of a file that can be read, whatever is wrong with the others; `people` by their place in the list.

    Names of parts that cannot be read are among the known ones: what is wrong with them is told elsewhere.
    """

    roles: Mapping[str, RolePart] = field(default_factory=dict)
    people: Mapping[int, PersonPart] = field(default_factory=dict)
    groups: Mapping[str, GroupPart] = field(default_factory=dict)
    approval: ApprovalPart | None = None
    role_names: frozenset[str] = frozenset()
    person_ids: frozenset[str] = frozenset()
    group_names: frozenset[str] = frozenset()


def readable(data: Any) -> ReadParts:
    """What can be read of a file, as YAML gave it."""
    whole = _mapping(data)
    roles, groups, people = _mapping(whole.get("roles")), _mapping(whole.get("groups")), _listed(whole.get("people"))
    return ReadParts(
        roles=_each(RolePart, roles),
        people=_each(PersonPart, dict(enumerate(people))),
        groups=_each(GroupPart, groups),
        approval=_read(ApprovalPart, whole.get("approval") or {}),
        role_names=frozenset(roles),
        person_ids=frozenset(str(_mapping(item).get("id")) for item in people),
        group_names=frozenset(groups),
    )


def faults_of(parts: ReadParts) -> Iterator[Fault]:
    """Every name that nothing has, every name that two things have, and people without any role."""
    yield from _unknown(parts)
    yield from _without_roles(parts)
    yield from _twice(parts)


def _read(kind: type[_Part], item: Any) -> _Part | None:
    try:
        return kind.model_validate(item)
    except ValidationError:
        return None


def _each(kind: type[_Part], items: Mapping[_Key, Any]) -> dict[_Key, _Part]:
    read = ((key, _read(kind, item)) for key, item in items.items())
    return {key: part for key, part in read if part is not None}


def _listed(item: Any) -> list[Any]:
    return item if isinstance(item, list) else []


def _mapping(item: Any) -> dict[str, Any]:
    return {name: held for name, held in item.items() if isinstance(name, str)} if isinstance(item, dict) else {}


def _unknown(parts: ReadParts) -> Iterator[Fault]:
    for index, person in parts.people.items():
        yield from _missing(("people", index), "role", person.roles, parts.role_names)
    for name, group in parts.groups.items():
        yield from _missing(("groups", name), "role", group.roles, parts.role_names)
        yield from _missing(("groups", name), "person", group.people, parts.person_ids)
    for path, named in _named(parts.approval):
        yield from _missing(path, "role", named.roles, parts.role_names)
        yield from _missing(path, "person", named.people, parts.person_ids)
        yield from _missing(path, "group", named.groups, parts.group_names)


def _named(approval: ApprovalPart | None) -> Iterator[tuple[KeyPath, NamedPart]]:
    if approval is None:
        return
    places: list[tuple[KeyPath, RulesPart]] = [(("approval",), approval)]
    places += [(("approval", "domains", name), rules) for name, rules in approval.domains.items()]
    for path, rules in places:
        for key, named in (("approvers", rules.approvers), ("standing", rules.standing)):
            if named is not None:
                yield (*path, key), named


_LISTS = {"role": "roles", "person": "people", "group": "groups"}


def _missing(path: KeyPath, kind: str, names: Collection[str], known: Collection[str]) -> Iterator[Fault]:
    for at, name in enumerate(names):
        if name not in known:
            hint = nearest(name, known)
            yield (*path, _LISTS[kind], at), f"no {kind} '{name}'" + (f"; {hint}" if hint else "")


def _without_roles(parts: ReadParts) -> Iterator[Fault]:
    if len(parts.groups) < len(parts.group_names):
        return
    grouped = {person for group in parts.groups.values() for person in group.people}
    kept_elsewhere = any(group.slack or group.teams for group in parts.groups.values())
    for index, person in parts.people.items():
        if not (person.roles or person.id in grouped or kept_elsewhere):
            yield ("people", index), f"'{person.id}' has no role, of their own or by a group"


def _twice(parts: ReadParts) -> Iterator[Fault]:
    people = parts.people
    ids = Counter(person.id for person in people.values())
    names = Counter(identity for person in people.values() for identity in identities(person))
    emails = Counter(email.lower() for person in people.values() for email in person.emails)
    for index, person in people.items():
        if ids[person.id] > 1:
            yield ("people", index, "id"), f"'{person.id}' is written twice"
        for identity in identities(person):
            if names[identity] > 1:
                yield ("people", index, identity.channel), f"'{identity.user_id}' belongs to two people"
        for email in person.emails:
            if emails[email.lower()] > 1:
                yield ("people", index, "emails"), f"'{email}' belongs to two people"
