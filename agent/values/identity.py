"""Who speaks and on whose behalf data is read."""

from dataclasses import dataclass
from typing import Literal, NewType

from agent.values.meters import UNLIMITED, Budget
from semantic_catalog.model import DomainName, EntityName, Locale

ThreadKey = NewType("ThreadKey", str)
RunId = NewType("RunId", str)
TenantId = NewType("TenantId", str)
UserId = NewType("UserId", str)
PrincipalId = NewType("PrincipalId", str)
RoleName = NewType("RoleName", str)
GroupName = NewType("GroupName", str)
ChannelName = Literal["slack", "teams", "console"]
ApprovalScope = Literal["none", "own", "domain", "any"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalUser:
    """A person as a channel names them. Only `tenant` and `user_id` identify; the name is for display."""

    channel: ChannelName
    tenant: TenantId
    user_id: UserId
    display_name: str = ""
    email: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RowRule:
    """Rows of `source` (schema-qualified as in the catalog) that the principal may see.

    `predicate` is SQL over the source's own columns in the domain's dialect. `column` and `members` say the same where
    the rule is a plain list of members (so that understanding can tell a forbidden member before any SQL); `label` is
    the rule in words per locale ('Lima only').
    """

    domain: DomainName
    source: str
    predicate: str
    label: tuple[tuple[Locale, str], ...]
    column: str | None = None
    members: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Caps of one principal. Costs are the planner's units, sizes bytes, times seconds."""

    max_result_rows: int = 500
    max_plan_rows: int = 250_000
    max_plan_cost: float = 150_000
    max_relation_bytes: int = 536_870_912
    max_result_bytes: int = 67_108_864
    sql_timeout_seconds: float = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """A person as the policy knows them, resolved once per turn. No principal, no data.

    `entities` None means every entity of `domains`; in one of the `domain_entities` only those. `denied_columns` are
    (source, column). The principal may sign in the `approval_domains` beside what `may_approve` says. `groups` are
    those of the policy that they are in. `domain_limits` are the caps of single domains; `limits` hold in the others.
    `budget` is what they may use in a day.
    """

    id: PrincipalId
    roles: tuple[RoleName, ...]
    domains: tuple[DomainName, ...]
    entities: tuple[EntityName, ...] | None = None
    denied_columns: tuple[tuple[str, str], ...] = ()
    row_rules: tuple[RowRule, ...] = ()
    restrictions: tuple[str, ...] = ()
    limits: Limits = Limits()
    may_approve: ApprovalScope = "none"
    approval_domains: tuple[DomainName, ...] = ()
    is_admin: bool = False
    locale: Locale | None = None
    display_name: str = ""
    groups: tuple[GroupName, ...] = ()
    domain_limits: tuple[tuple[DomainName, Limits], ...] = ()
    domain_entities: tuple[tuple[DomainName, tuple[EntityName, ...]], ...] = ()
    budget: Budget = UNLIMITED

    def may_read(self, domain: DomainName, entity: EntityName) -> bool:
        """Whether the entity of that domain is among those open to the principal."""
        listed = dict(self.domain_entities).get(domain, self.entities)
        return domain in self.domains and (listed is None or entity in listed)

    def limits_in(self, domain: DomainName) -> Limits:
        """The caps in that domain."""
        return dict(self.domain_limits).get(domain, self.limits)
