"""Who somebody is, and who may sign for them."""

from agent.policy.model import Identity, Person, Policy
from agent.policy.signing import signatories
from agent.values.governance import Tier
from agent.values.identity import ExternalUser, Principal, PrincipalId, TenantId
from semantic_catalog.model import DomainName


def resolve(policy: Policy, user: ExternalUser) -> Principal | None:
    """The principal a channel's user is; None for a stranger.

    The platform's own ids come first. An e-mail counts as the platform gives it for its user, never on the console.
    What groups of a platform bring is in the policy given here, once they were asked (`agent.policy.membership`).
    """
    person = person_of(policy, user)
    return person.principal if person else None


def person_of(policy: Policy, user: ExternalUser) -> Person | None:
    """The person a channel's user is, as the policy names them."""
    tenant = TenantId("") if user.channel == "console" else user.tenant
    identity = Identity(channel=user.channel, tenant=tenant, user_id=user.user_id)
    found = next((person for person in policy.people if identity in person.identities), None)
    return found or _by_email(policy, user)


def approvers(policy: Policy, domain: DomainName, asker: PrincipalId, tier: Tier = "asker") -> tuple[Principal, ...]:
    """Everybody who may sign a question of `asker`, the asker first where they may; none means it cannot run."""
    return signatories(policy.principals, domain, asker, tier)


def _by_email(policy: Policy, user: ExternalUser) -> Person | None:
    if user.channel == "console" or not user.email:
        return None
    email = user.email.strip().lower()
    return next((person for person in policy.people if email in person.emails), None)
