"""The parts of a policy file, put together: roles become principals, members become predicates."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import BaseModel
from sqlglot import exp

from agent.policy.file import LimitsPart, PersonPart, PolicyPart, RolePart, RowRulePart, RulesPart, StandingPart
from agent.policy.model import ApprovalRules, HeavyMarks, Identity, Person, Policy, StandingRule, Tiers
from agent.values.identity import (
    ApprovalScope,
    Limits,
    Principal,
    PrincipalId,
    RoleName,
    RowRule,
    TenantId,
    UserId,
)
from semantic_catalog.model import DomainName, EntityName

_Item = TypeVar("_Item")
_SCOPES: tuple[ApprovalScope, ...] = ("none", "own", "domain", "any")


def compose(parts: PolicyPart, version: str, defaults: Limits) -> Policy:
    """The policy that the parts describe, with `defaults` for caps no role sets. Every named role must exist."""
    rules = _rules(parts.approval, ApprovalRules())
    return Policy(
        name=parts.name,
        version=version,
        people=tuple(_person(person, parts.roles, defaults) for person in parts.people),
        expires_after_hours=parts.approval.expires_after_hours,
        approval=rules,
        domain_approval=tuple((DomainName(name), _rules(part, rules)) for name, part in parts.approval.domains.items()),
    )


def identities(person: PersonPart) -> tuple[Identity, ...]:
    """Every name a person goes by on a platform."""
    console = (
        [Identity(channel="console", tenant=TenantId(""), user_id=UserId(person.console))] if person.console else []
    )
    slack = [Identity(channel="slack", tenant=TenantId(p.team), user_id=UserId(p.user)) for p in person.slack]
    teams = [Identity(channel="teams", tenant=TenantId(p.tenant), user_id=UserId(p.object_id)) for p in person.teams]
    return (*console, *slack, *teams)


def _person(part: PersonPart, roles: dict[str, RolePart], defaults: Limits) -> Person:
    own = [roles[name] for name in part.roles]
    return Person(
        principal=_principal(part, own, defaults),
        identities=identities(part),
        emails=tuple(email.lower() for email in part.emails),
        domain_limits=tuple(
            (DomainName(name), _limits(limits, _widest(own, defaults)))
            for role in own
            for name, limits in role.domain_limits.items()
        ),
    )


def _principal(part: PersonPart, roles: list[RolePart], defaults: Limits) -> Principal:
    """What is granted adds up over roles; what is restricted adds up too."""
    return Principal(
        id=PrincipalId(part.id),
        roles=tuple(RoleName(name) for name in part.roles),
        domains=_union(DomainName(name) for role in roles for name in role.domains),
        entities=_entities(roles),
        denied_columns=_union(pair for role in roles for pair in _denied(role)),
        row_rules=_union(rule for role in roles for part in role.row_rules for rule in _row_rules(part)),
        restrictions=_union(name for role in roles for name in role.restrictions),
        limits=_widest(roles, defaults),
        may_approve=max((role.may_approve for role in roles), key=_SCOPES.index),
        approval_domains=_union(DomainName(name) for role in roles for name in role.approval_domains),
        is_admin=any(role.admin for role in roles),
        locale=part.locale,
        display_name=part.name,
    )


def _union(items: Iterable[_Item]) -> tuple[_Item, ...]:
    return tuple(dict.fromkeys(items))


def _entities(roles: list[RolePart]) -> tuple[EntityName, ...] | None:
    if any(role.entities is None for role in roles):
        return None
    return _union(EntityName(name) for role in roles for name in role.entities or ())


def _denied(role: RolePart) -> Iterator[tuple[str, str]]:
    for source, columns in role.denied_columns.items():
        for column in columns:
            yield source, column


def _row_rules(part: RowRulePart) -> Iterator[RowRule]:
    text = part.predicate or exp.column(part.column or "").isin(*part.members).sql()
    for source in part.sources:
        yield RowRule(
            domain=DomainName(part.domain),
            source=source,
            predicate=text,
            label=tuple(part.label.items()),
            column=part.column,
            members=part.members,
        )


def _widest(roles: list[RolePart], defaults: Limits) -> Limits:
    caps = [_limits(role.limits, defaults) for role in roles]
    return Limits(
        max_result_rows=max(cap.max_result_rows for cap in caps),
        max_plan_rows=max(cap.max_plan_rows for cap in caps),
        max_plan_cost=max(cap.max_plan_cost for cap in caps),
        max_relation_bytes=max(cap.max_relation_bytes for cap in caps),
        sql_timeout_seconds=max(cap.sql_timeout_seconds for cap in caps),
    )


def _limits(part: LimitsPart, base: Limits) -> Limits:
    return replace(base, **_given(part))


def _rules(part: RulesPart, base: ApprovalRules) -> ApprovalRules:
    tiers: Tiers = replace(base.tiers, **_given(part.tiers))
    heavy: HeavyMarks = replace(base.heavy, **_given(part.heavy))
    return ApprovalRules(tiers=tiers, heavy=heavy, standing=_standing(part.standing) or base.standing)


def _standing(part: StandingPart | None) -> StandingRule | None:
    return StandingRule(roles=tuple(RoleName(name) for name in part.roles), days=part.days) if part else None


def _given(part: BaseModel) -> dict[str, Any]:
    return {name: value for name, value in part if value is not None}
