"""The policy as frozen values: its people, their caps, and who signs for what."""

from dataclasses import dataclass

from agent.policy.signing import signatories
from agent.values.governance import Origin, RiskLevel, Tier
from agent.values.identity import ChannelName, Limits, Principal, PrincipalId, RoleName, TenantId, UserId
from semantic_catalog.model import DomainName

TIER_ORDER: tuple[Tier, ...] = ("auto", "asker", "owner")


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """A person as one platform names them. The console has no tenants: there it is empty."""

    channel: ChannelName
    tenant: TenantId
    user_id: UserId


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A principal with every name they go by, and caps that hold in one domain only. E-mails are in lower case."""

    principal: Principal
    identities: tuple[Identity, ...] = ()
    emails: tuple[str, ...] = ()
    domain_limits: tuple[tuple[DomainName, Limits], ...] = ()


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
class StandingRule:
    """Who may approve a kind of question once for all, by role, and for how many days that holds."""

    roles: tuple[RoleName, ...]
    days: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalRules:
    """How queries of a domain are signed. Without `standing` every question is signed for itself."""

    tiers: Tiers = Tiers()
    heavy: HeavyMarks = HeavyMarks()
    standing: StandingRule | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The whole policy. `name` signs what it approves by itself; `version` is a hash of the file it was read from."""

    name: str
    version: str
    people: tuple[Person, ...]
    expires_after_hours: int = 24
    approval: ApprovalRules = ApprovalRules()
    domain_approval: tuple[tuple[DomainName, ApprovalRules], ...] = ()

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

    def limits(self, principal: Principal, domain: DomainName) -> Limits:
        """The principal's caps in that domain."""
        person = next((p for p in self.people if p.principal.id == principal.id), None)
        return dict(person.domain_limits).get(domain, principal.limits) if person else principal.limits

    def approver_names(self, domain: DomainName, asker: PrincipalId, tier: Tier = "asker") -> tuple[str, ...]:
        """Display names of everybody who may sign; empty means that nobody may and nothing runs."""
        return tuple(p.display_name or p.id for p in signatories(self.principals, domain, asker, tier))
