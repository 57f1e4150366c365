"""The parts of a policy file, put together: roles become principals, members become predicates."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pydantic import BaseModel
from sqlglot import exp

from agent.policy.budgets import BudgetDefaults, BudgetRules, WarehousePrice
from agent.policy.file import (
    AudienceRulesPart,
    BudgetPart,
    GroupPart,
    LimitsPart,
    NamedPart,
    PersonPart,
    PolicyPart,
    RolePart,
    RowRulePart,
    RulesPart,
    TenantBudgetsPart,
    WarehousePricePart,
)
from agent.policy.groups import Group, PlatformGroup
from agent.policy.membership import in_groups
from agent.policy.model import (
    ApprovalRules,
    AudienceRules,
    HeavyMarks,
    Identity,
    Named,
    Person,
    Policy,
    StandingRule,
    Tiers,
)
from agent.policy.roles import Role
from agent.values.identity import GroupName, Limits, Principal, PrincipalId, RoleName, RowRule, TenantId, UserId
from agent.values.meters import METERS, Budget
from semantic_catalog.model import DomainName, EntityName

NO_BUDGETS = BudgetDefaults()


def compose(parts: PolicyPart, version: str, defaults: Limits, budgets: BudgetDefaults = NO_BUDGETS) -> Policy:
    """The policy that the parts describe, with `defaults` for caps no role sets and `budgets` for what no role and no
    tenant sets of a day. Every named role must exist.
    """
    rules = _rules(parts.approval, ApprovalRules())
    audience = _audience(parts.audience, AudienceRules())
    policy = Policy(
        name=parts.name,
        version=version,
        people=tuple(map(_bare, parts.people)),
        expires_after_hours=parts.approval.expires_after_hours,
        approval=rules,
        domain_approval=tuple((DomainName(name), _rules(part, rules)) for name, part in parts.approval.domains.items()),
        roles=tuple(_role(name, part, defaults, budgets) for name, part in parts.roles.items()),
        groups=tuple(_group(name, part) for name, part in parts.groups.items()),
        files=parts.files,
        audience=audience,
        domain_audience=tuple(
            (DomainName(name), _audience(part, audience)) for name, part in parts.audience.domains.items()
        ),
        budgets=_budgets(parts.budgets, budgets),
    )
    return replace(policy, people=tuple(in_groups(policy, person) for person in policy.people))


def identities(person: PersonPart) -> tuple[Identity, ...]:
    """Every name a person goes by on a platform."""
    console = (
        [Identity(channel="console", tenant=TenantId(""), user_id=UserId(person.console))] if person.console else []
    )
    slack = [Identity(channel="slack", tenant=TenantId(p.team), user_id=UserId(p.user)) for p in person.slack]
    teams = [Identity(channel="teams", tenant=TenantId(p.tenant), user_id=UserId(p.object_id)) for p in person.teams]
    return (*console, *slack, *teams)


def _bare(part: PersonPart) -> Person:
    """The person before any role."""
    principal = Principal(id=PrincipalId(part.id), roles=(), domains=(), locale=part.locale, display_name=part.name)
    return Person(
        principal=principal,
        identities=identities(part),
        emails=tuple(email.lower() for email in part.emails),
        roles=tuple(RoleName(name) for name in part.roles),
    )


def _role(name: str, part: RolePart, defaults: Limits, budgets: BudgetDefaults) -> Role:
    limits = _limits(part.limits, defaults)
    return Role(
        name=RoleName(name),
        domains=tuple(map(DomainName, part.domains)),
        entities=None if part.entities is None else tuple(map(EntityName, part.entities)),
        denied_columns=tuple(_denied(part)),
        row_rules=tuple(rule for written in part.row_rules for rule in _row_rules(written)),
        restrictions=part.restrictions,
        limits=limits,
        domain_limits=tuple((DomainName(each), _limits(caps, limits)) for each, caps in part.domain_limits.items()),
        may_approve=part.may_approve,
        approval_domains=tuple(map(DomainName, part.approval_domains)),
        is_admin=part.admin,
        budget=_budget(part.budgets, budgets.role),
    )


def _group(name: str, part: GroupPart) -> Group:
    slack = [PlatformGroup(channel="slack", tenant=TenantId(p.team), group_id=p.group) for p in part.slack]
    teams = [PlatformGroup(channel="teams", tenant=TenantId(p.tenant), group_id=p.object_id) for p in part.teams]
    return Group(
        name=GroupName(name),
        display_name=part.name,
        roles=tuple(map(RoleName, part.roles)),
        people=tuple(map(PrincipalId, part.people)),
        kept_by=(*slack, *teams),
    )


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


def _limits(part: LimitsPart, base: Limits) -> Limits:
    return replace(base, **_given(part))


def _budgets(part: TenantBudgetsPart, defaults: BudgetDefaults) -> BudgetRules:
    tenant = _budget(part, defaults.tenant)
    return BudgetRules(
        tenant=tenant,
        tenants=tuple((name, _budget(each, tenant)) for name, each in part.tenants.items()),
        timezone=part.timezone,
        prices=tuple((DomainName(name), _price(each)) for name, each in part.warehouse_prices.items()),
    )


def _budget(part: BudgetPart, default: Budget) -> Budget:
    """What is left out is the default's; 0 is no limit."""
    given = {meter: getattr(part, f"{meter}_per_day") for meter in METERS}
    return replace(default, **{meter: limit or None for meter, limit in given.items() if limit is not None})


def _price(part: WarehousePricePart) -> WarehousePrice:
    return WarehousePrice(per_cost_unit=part.per_cost_unit, per_gigabyte=part.per_gigabyte)


def _rules(part: RulesPart, base: ApprovalRules) -> ApprovalRules:
    tiers: Tiers = replace(base.tiers, **_given(part.tiers))
    heavy: HeavyMarks = replace(base.heavy, **_given(part.heavy))
    return ApprovalRules(
        tiers=tiers,
        heavy=heavy,
        approvers=Named(**_names(part.approvers)) if part.approvers else base.approvers,
        standing=StandingRule(**_names(part.standing), days=part.standing.days) if part.standing else base.standing,
    )


def _audience(part: AudienceRulesPart, base: AudienceRules) -> AudienceRules:
    given = {name: value for name, value in _given(part).items() if name != "domains"}
    return replace(base, **given)


def _names(part: NamedPart) -> dict[str, Any]:
    return {
        "people": tuple(map(PrincipalId, part.people)),
        "roles": tuple(map(RoleName, part.roles)),
        "groups": tuple(map(GroupName, part.groups)),
    }


def _given(part: BaseModel) -> dict[str, Any]:
    return {name: value for name, value in part if value is not None}
