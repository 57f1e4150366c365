"""What roles grant and restrict, and what they come to for one person."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from decimal import Decimal
from typing import TypeVar

from agent.values.identity import (
    ApprovalScope,
    GroupName,
    Limits,
    Principal,
    PrincipalId,
    RoleName,
    RowRule,
)
from agent.values.meters import METERS, UNLIMITED, Budget
from semantic_catalog.model import DomainName, EntityName, Locale

_Item = TypeVar("_Item")
_WIDEST_FIRST: tuple[ApprovalScope, ...] = ("any", "own", "domain", "none")
"""`domain` is less than `own` here: the named domains count beside any scope."""

_NOTHING = Budget(queries=0, rows=0, tokens=0, money=Decimal(0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """What people of a role may read and sign. `entities` None means every entity of the role's domains."""

    name: RoleName
    domains: tuple[DomainName, ...]
    entities: tuple[EntityName, ...] | None = None
    denied_columns: tuple[tuple[str, str], ...] = ()
    row_rules: tuple[RowRule, ...] = ()
    restrictions: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    domain_limits: tuple[tuple[DomainName, Limits], ...] = ()
    may_approve: ApprovalScope = "none"
    approval_domains: tuple[DomainName, ...] = ()
    is_admin: bool = False
    budget: Budget = UNLIMITED

    def limits_in(self, domain: DomainName) -> Limits:
        """The role's caps in that domain."""
        return dict(self.domain_limits).get(domain, self.limits)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bearer:
    """Whose roles they are."""

    id: PrincipalId
    name: str
    locale: Locale | None = None
    groups: tuple[GroupName, ...] = ()


def principal_with(bearer: Bearer, roles: Sequence[Role], doubtful: Sequence[Role] = ()) -> Principal:
    """What is granted adds up over roles; what is restricted adds up too.

    Of a `doubtful` role it is not known whether the bearer has it: what it grants is left out, what it restricts holds.
    """
    both = (*roles, *doubtful)
    domains = _union(name for role in roles for name in role.domains)
    return Principal(
        id=bearer.id,
        roles=_union(role.name for role in roles),
        groups=bearer.groups,
        domains=domains,
        entities=_entities(roles),
        domain_entities=tuple(_entities_in(domain, roles) for domain in domains if _is_listed(domain, roles)),
        denied_columns=_union(pair for role in both for pair in role.denied_columns),
        row_rules=_union(rule for role in both for rule in role.row_rules),
        restrictions=_union(name for role in both for name in role.restrictions),
        limits=_widest([role.limits for role in roles]),
        domain_limits=tuple((domain, _caps_in(domain, roles)) for domain in domains),
        may_approve=min((role.may_approve for role in roles), key=_WIDEST_FIRST.index, default="none"),
        approval_domains=_union(name for role in roles for name in role.approval_domains),
        is_admin=any(role.is_admin for role in roles),
        locale=bearer.locale,
        display_name=bearer.name,
        budget=_widest_budget([role.budget for role in roles]),
    )


def _union(items: Iterable[_Item]) -> tuple[_Item, ...]:
    return tuple(dict.fromkeys(items))


def _entities(roles: Sequence[Role]) -> tuple[EntityName, ...] | None:
    if any(role.entities is None for role in roles):
        return None
    return _union(name for role in roles for name in role.entities or ())


def _is_listed(domain: DomainName, roles: Sequence[Role]) -> bool:
    return all(role.entities is not None for role in roles if domain in role.domains)


def _entities_in(domain: DomainName, roles: Sequence[Role]) -> tuple[DomainName, tuple[EntityName, ...]]:
    """What the roles that grant the domain open of it; another role's openness is for other data."""
    return domain, _union(name for role in roles if domain in role.domains for name in role.entities or ())


def _caps_in(domain: DomainName, roles: Sequence[Role]) -> Limits:
    """The widest caps of the roles that grant the domain; those of the others are for other data."""
    return _widest([role.limits_in(domain) for role in roles if domain in role.domains])


def _widest(caps: Sequence[Limits]) -> Limits:
    if not caps:
        return Limits()
    return Limits(**{cap.name: max(getattr(each, cap.name) for each in caps) for cap in fields(Limits)})


def _widest_budget(budgets: Sequence[Budget]) -> Budget:
    """Each limit as the most generous role sets it; who has no role may use nothing."""
    if not budgets:
        return _NOTHING
    limits = {meter: [getattr(budget, meter) for budget in budgets] for meter in METERS}
    return Budget(**{meter: None if None in each else max(each) for meter, each in limits.items()})
