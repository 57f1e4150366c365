"""The policy as frozen values: its people, their caps, and who signs for what."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from agent.policy.budgets import NO_RULES, BudgetRules
from agent.policy.groups import Group
from agent.policy.roles import Bearer, Role, principal_with
from agent.policy.signing import may_sign, signatories
from agent.values.governance import Origin, RiskLevel, Tier
from agent.values.identity import (
    ChannelName,
    GroupName,
    Limits,
    Principal,
    PrincipalId,
    RoleName,
    TenantId,
    UserId,
)
from semantic_catalog.model import DomainName

FileSharing = Literal["thread", "giver"]
AnswerPlace = Literal["ask", "private", "open"]
ExternalPlace = Literal["refuse", "allow"]
TIER_ORDER: tuple[Tier, ...] = ("auto", "asker", "owner")


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """A person as one platform names them. The console has no tenants: there it is empty."""

    channel: ChannelName
    tenant: TenantId
    user_id: UserId


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A principal with every name they go by. E-mails are in lower case.

    `roles` are their own and those of the groups that name them; what a platform's group brings is not among them.
    """

    principal: Principal
    identities: tuple[Identity, ...] = ()
    emails: tuple[str, ...] = ()
    roles: tuple[RoleName, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HeavyMarks:
    """From which fraction of a cap (0–1) on a query counts as heavy, and whether a full scan makes it so.

    `result_rows` makes a query heavy whose result is expected to have more rows than that.
    """

    cost: float = 0.5
    rows: float = 0.5
    bytes: float = 0.5
    full_scans: bool = False
    result_rows: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tiers:
    """Who signs, by what the query is and by who wrote it; the stricter of the two holds."""

    routine: Tier = "asker"
    heavy: Tier = "asker"
    sensitive: Tier = "owner"
    trusted: Tier = "asker"
    compiled: Tier = "asker"
    model: Tier = "owner"
    edited: Tier = "owner"

    def of(self, level: RiskLevel, origin: Origin) -> Tier:
        """The tier of a query of that risk and origin."""
        by_level: dict[RiskLevel, Tier] = {"routine": self.routine, "heavy": self.heavy, "sensitive": self.sensitive}
        by_origin: dict[Origin, Tier] = {
            "trusted": self.trusted,
            "compiled": self.compiled,
            "model": self.model,
            "edited": self.edited,
        }
        return max(by_level[level], by_origin[origin], key=TIER_ORDER.index)


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """Some people: by id, by role, by group of the policy."""

    people: tuple[PrincipalId, ...] = ()
    roles: tuple[RoleName, ...] = ()
    groups: tuple[GroupName, ...] = ()

    def names(self, principal: Principal) -> bool:
        """Whether the principal is one of them."""
        by_role, by_group = set(self.roles) & set(principal.roles), set(self.groups) & set(principal.groups)
        return principal.id in self.people or bool(by_role or by_group)


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingRule(Named):
    """Who may approve a kind of question once for all, and for how many days that holds."""

    days: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalRules:
    """How queries of a domain are signed. `approvers` may, beside those whose roles say so.

    Without `standing` every question is signed for itself.
    """

    tiers: Tiers = Tiers()
    heavy: HeavyMarks = HeavyMarks()
    approvers: Named = Named()
    standing: StandingRule | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AudienceRules:
    """Where answers of a domain may stand.

    `answers`: in front of others where each of them may see as much, else with the asker alone until they share it
    (`ask`); always with the asker alone (`private`); in front of anybody (`open`). `external`: whether anything is
    asked in conversations with guests or people of another organisation.
    """

    answers: AnswerPlace = "ask"
    external: ExternalPlace = "refuse"


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The whole policy. `name` signs what it approves by itself; `version` is a hash of the file it was read from.

    `files` says who may ask about a file given in a thread: everybody who speaks there, or its giver alone.
    """

    name: str
    version: str
    people: tuple[Person, ...]
    expires_after_hours: int = 24
    approval: ApprovalRules = ApprovalRules()
    domain_approval: tuple[tuple[DomainName, ApprovalRules], ...] = ()
    roles: tuple[Role, ...] = ()
    groups: tuple[Group, ...] = ()
    files: FileSharing = "thread"
    audience: AudienceRules = AudienceRules()
    domain_audience: tuple[tuple[DomainName, AudienceRules], ...] = ()
    budgets: BudgetRules = NO_RULES

    @property
    def principals(self) -> tuple[Principal, ...]:
        """Everybody, in the order of the file."""
        return tuple(person.principal for person in self.people)

    def principal(self, principal: PrincipalId) -> Principal | None:
        """The principal of that id; None when the policy does not know them."""
        return next((p for p in self.principals if p.id == principal), None)

    def approval_in(self, domain: DomainName) -> ApprovalRules:
        """How queries of that domain are signed."""
        return dict(self.domain_approval).get(domain, self.approval)

    def audience_in(self, domain: DomainName) -> AudienceRules:
        """Where answers of that domain may stand."""
        return dict(self.domain_audience).get(domain, self.audience)

    def limits(self, principal: Principal, domain: DomainName) -> Limits:
        """The principal's caps in that domain."""
        return (self.principal(principal.id) or principal).limits_in(domain)

    def approver_names(self, domain: DomainName, asker: PrincipalId, tier: Tier = "asker") -> tuple[str, ...]:
        """Who may sign, by display name: people, then the groups whose members may. Empty: nobody, so nothing runs."""
        people = tuple(p.display_name or p.id for p in signatories(self.principals, domain, asker, tier))
        return tuple(dict.fromkeys((*people, *(group.display_name for group in self._signing(domain, asker, tier)))))

    def _signing(self, domain: DomainName, asker: PrincipalId, tier: Tier) -> Iterator[Group]:
        """The groups kept by a platform whose members may sign: not all of these people are known here."""
        for group in self.groups:
            member = principal_with(
                Bearer(id=PrincipalId(""), name="", groups=(group.name,)),
                [role for role in self.roles if role.name in group.roles],
            )
            is_named = domain in member.domains and self.approval_in(domain).approvers.names(member)
            if group.kept_by and (is_named or may_sign(member, asker, domain, tier)):
                yield group
