"""Whether what a run says may stand in front of everybody who reads its conversation."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal

import structlog

from agent.policy.model import AudienceRules, Policy
from agent.policy.resolve import resolve
from agent.policy.seeing import Shown, may_see
from agent.ports import CatalogSource, Clock, PolicySource
from agent.values.identity import ChannelName, Principal, PrincipalId
from agent.values.readership import ALONE, UNKNOWN, Readership
from agent.values.turn import Place
from bot.audience.ports import ChannelMembers
from bot.audience.said import Said
from bot.files.scope import scope_now
from bot.memberships import GroupedPolicy
from bot.run_places import channel_of
from cards.errors import DeliveryRefused, DeliveryUnavailable
from semantic_catalog.model import DomainName

Standing = Literal["here", "alone", "alone_always"]
"""In front of whoever reads there; with the asker alone until they share it; with the asker alone, always."""

log = structlog.get_logger()

_place: ContextVar[Place | None] = ContextVar("run_place", default=None)


@contextmanager
def asked_at(place: Place) -> Iterator[None]:
    """While inside, the run that is driven belongs to that conversation."""
    token = _place.set(place)
    try:
        yield
    finally:
        _place.reset(token)


@dataclass(frozen=True, slots=True, kw_only=True)
class AudienceGate:
    """Compares what is said with what the readers may see. Also implements the agent's `Surroundings`.

    A conversation that the platform does not describe is one of unknown people. At most `most_readers` are looked at.
    """

    members: Mapping[ChannelName, ChannelMembers]
    people: GroupedPolicy
    policy: PolicySource
    catalog: CatalogSource
    clock: Clock
    most_readers: int

    async def refuses(self, domain: DomainName) -> bool:
        """Whether outsiders read the conversation of the run that is driven, and the policy keeps the domain out."""
        place = _place.get()
        if place is None or self._rules(domain).external == "allow":
            return False
        return (await self.readers(place)).is_external

    async def standing(self, place: Place, said: Said | None, asker: PrincipalId) -> Standing:
        """Where it may stand, under the policy of now."""
        if said is None or _is_file_of_all(said.domain):
            return "here"
        rules = self._rules(said.domain)
        if rules == AudienceRules(answers="open", external="allow"):
            return "here"
        readers = await self.readers(place)
        if readers.is_alone:
            return "here"
        if rules.answers == "private" or (readers.is_external and rules.external == "refuse"):
            return "alone_always"
        return "here" if rules.answers == "open" or await self._all_may_see(readers, said, asker) else "alone"

    async def readers(self, place: Place) -> Readership:
        """Who reads there; unknown people where nobody says."""
        channel = channel_of(place.thread)
        members = self.members.get(channel)
        if members is None:
            return ALONE if channel == "console" else UNKNOWN
        try:
            return await members.readers(place, self.most_readers)
        except (DeliveryUnavailable, DeliveryRefused) as error:
            log.warning("readers_unknown", channel=channel, code=error.code, detail=error.detail)
            return UNKNOWN

    async def _all_may_see(self, readers: Readership, said: Said, asker: PrincipalId) -> bool:
        own = self.policy.current().principal(asker)
        if own is None or not readers.is_whole:
            return False
        for user in readers.people:
            await self.people.know(user)
            reader = resolve(self.policy.current(), user)
            if reader is None or not self._may_see(reader, own, said):
                return False
        return True

    def _may_see(self, reader: Principal, asker: Principal, said: Said) -> bool:
        if reader.id == asker.id:
            return True
        if said.query is None:
            return _may_name_members(reader, asker, said.domain)
        catalog = self.catalog.current()
        domain = catalog.domain(said.domain)
        shown = Shown(
            query=said.query,
            spec=said.spec,
            asker=asker,
            domain=domain,
            version=catalog.version,
            today=self.clock.today(domain.timezone),
        )
        return may_see(reader, shown)

    def _rules(self, domain: DomainName) -> AudienceRules:
        policy: Policy = self.policy.current()
        return policy.audience_in(domain)


def _may_name_members(reader: Principal, asker: Principal, domain: DomainName) -> bool:
    """Whether the reader sees at least the rows of the domain that the asker sees."""
    kept = {rule for rule in reader.row_rules if rule.domain == domain}
    return domain in reader.domains and kept <= set(asker.row_rules)


def _is_file_of_all(domain: DomainName) -> bool:
    """A file that was given in the thread itself, to everybody who reads it."""
    scope = scope_now()
    return scope is not None and any(f.domain.name == domain and f.only_for is None for f in scope.files)
