"""The policy with what the platforms' groups bring to the people who speak."""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, replace

import structlog

from agent.errors import GroupsUnavailable
from agent.policy.groups import Membership, PlatformGroup
from agent.policy.membership import groups_near, guest, in_groups, with_people
from agent.policy.model import Identity, Person, Policy
from agent.policy.resolve import person_of
from agent.ports import PolicySource
from agent.values.identity import ChannelName, ExternalUser, PrincipalId
from bot.ports import GroupDirectory, SeenIdentities

_MOST_KEPT = 10_000

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """`grouped` is the person under the policy at hand; None where it knows nothing of them."""

    person: Person
    membership: Membership
    grouped: Person | None


class GroupedPolicy:
    """Implements `PolicySource`. A turn asks for its people once; who was not asked for has no platform's group.

    A group that no directory answers for grants nothing, and what it restricts holds.
    """

    def __init__(
        self, file: PolicySource, directories: Mapping[ChannelName, GroupDirectory], seen: SeenIdentities
    ) -> None:
        self._file = file
        self._directories = directories
        self._seen = seen
        self._known: OrderedDict[PrincipalId, _Known] = OrderedDict()
        self._base = self._policy = file.current()

    def current(self) -> Policy:
        """The policy in force, with the groups of the people asked for last."""
        base = self._file.current()
        if base is not self._base:
            self._take(base)
        return self._policy

    def names_groups(self) -> bool:
        """Whether some group is a platform's, so that people have to be asked for."""
        return any(group.kept_by for group in self._file.current().groups)

    async def know(self, user: ExternalUser, *, fresh: bool = False) -> bool:
        """Ask which groups the user is in, `fresh` as of now; whether every group that matters was answered for.

        Raises `StoreUnavailable`.
        """
        if not self.names_groups():
            return True
        policy = self._file.current()
        person = person_of(policy, user) or guest(user)
        if user.channel != "console" and user.user_id:
            await self._seen.put(person.principal.id, user)
        return await self._ask(policy, person, (user,), fresh=fresh)

    async def know_again(self, principal: PrincipalId, *, fresh: bool = False) -> bool:
        """The same for somebody who spoke before. Raises `StoreUnavailable`."""
        if not self.names_groups():
            return True
        policy, users = self._file.current(), await self._seen.of(principal)
        named = next((person for person in policy.people if person.principal.id == principal), None)
        person = named or next((guest(user) for user in users if guest(user).principal.id == principal), None)
        return person is None or await self._ask(policy, person, users, fresh=fresh)

    async def _ask(self, policy: Policy, person: Person, users: tuple[ExternalUser, ...], *, fresh: bool) -> bool:
        spoken = {_identity(user): user for user in users if user.user_id}
        everybody = {**{identity: _user(identity) for identity in person.identities}, **spoken}
        near = frozenset(groups_near(policy, everybody))
        held: set[PlatformGroup] = set()
        missed: set[PlatformGroup] = set()
        for user in everybody.values():
            asked = tuple(group for group in near if (group.channel, group.tenant) == (user.channel, user.tenant))
            found = await self._held(user, asked, fresh=fresh) if asked else ()
            held.update(found or ())
            missed.update(asked if found is None else ())
        self._keep(person, Membership(held=frozenset(held), answered=near - missed, asked=near))
        return not missed

    async def _held(
        self, user: ExternalUser, asked: tuple[PlatformGroup, ...], *, fresh: bool
    ) -> tuple[PlatformGroup, ...] | None:
        """Those of `asked` that hold the user; None when nobody says."""
        directory = self._directories.get(user.channel)
        if directory is None:
            return None
        try:
            ids = await directory.groups_of(user, [group.group_id for group in asked], fresh=fresh)
        except GroupsUnavailable as error:
            log.warning("groups_unavailable", channel=user.channel, detail=error.detail)
            return None
        return tuple(group for group in asked if group.group_id in ids)

    def _keep(self, person: Person, membership: Membership) -> None:
        key, base = person.principal.id, self._file.current()
        grouped = _grouped(base, person, membership)
        self._known[key] = _Known(person=person, membership=membership, grouped=grouped)
        self._known.move_to_end(key)
        if len(self._known) > _MOST_KEPT:
            self._known.popitem(last=False)
        if base is not self._base:
            self._take(base)
        self._policy = self._with_known(base)

    def _take(self, base: Policy) -> None:
        """Everybody known so far, under another policy."""
        self._base = base
        for key, known in self._known.items():
            self._known[key] = replace(known, grouped=_grouped(base, known.person, known.membership))
        self._policy = self._with_known(base)

    def _with_known(self, base: Policy) -> Policy:
        return with_people(base, [known.grouped for known in self._known.values() if known.grouped])


def _grouped(base: Policy, person: Person, membership: Membership) -> Person | None:
    named = next((known for known in base.people if known.principal.id == person.principal.id), None)
    if named is None and ":" not in person.principal.id:
        return None
    grouped = in_groups(base, named or person, membership)
    return grouped if named or grouped.principal.roles else None


def _identity(user: ExternalUser) -> Identity:
    return Identity(channel=user.channel, tenant=user.tenant, user_id=user.user_id)


def _user(identity: Identity) -> ExternalUser:
    return ExternalUser(channel=identity.channel, tenant=identity.tenant, user_id=identity.user_id)
