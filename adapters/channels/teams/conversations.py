"""Where conversations were last heard from: answers go there, whatever an old message said."""

import asyncio
from collections import OrderedDict
from dataclasses import replace
from typing import Final, Protocol

import structlog

from adapters.channels.teams.activities import InboundActivity
from adapters.channels.teams.addresses import TeamsAddress, read_address, write_address
from adapters.channels.teams.inbound import Origin
from adapters.channels.teams.thread_ids import read_teams_thread
from agent.errors import StoreUnavailable
from agent.values.identity import ChannelName, TenantId
from agent.values.turn import Place, SeenConversation

_CHANNEL: Final[ChannelName] = "teams"
AGAIN_SECONDS: Final = 12 * 3600.0
"""A conversation in use is written anew that often, so that it is known to be in use."""

_MOST_REMEMBERED: Final = 10_000

log = structlog.get_logger()


class SeenConversations(Protocol):
    """The newest address of each conversation, for every process. Raises `agent.errors.StoreUnavailable`."""

    async def put(self, seen: SeenConversation) -> None:
        """Remember the conversation, in place of what was known of it."""
        ...

    async def get(self, channel: ChannelName, tenant: TenantId, conversation: str) -> SeenConversation | None:
        """The conversation, or None."""
        ...

    async def of_person(self, channel: ChannelName, tenant: TenantId, person: str) -> SeenConversation | None:
        """The person's own conversation with us, or None."""
        ...

    async def newest(self, channel: ChannelName, tenant: TenantId) -> SeenConversation | None:
        """The conversation of the tenant that was heard from last, or None."""
        ...


class SeenHere:
    """Implements `SeenConversations` for one process alone."""

    def __init__(self) -> None:
        self._seen: OrderedDict[tuple[str, str, str], SeenConversation] = OrderedDict()

    async def put(self, seen: SeenConversation) -> None:
        """Remember the conversation."""
        key = (seen.channel, seen.tenant, seen.conversation)
        self._seen[key] = seen
        self._seen.move_to_end(key)
        if len(self._seen) > _MOST_REMEMBERED:
            self._seen.popitem(last=False)

    async def get(self, channel: ChannelName, tenant: TenantId, conversation: str) -> SeenConversation | None:
        """The conversation, or None."""
        return self._seen.get((channel, tenant, conversation))

    async def of_person(self, channel: ChannelName, tenant: TenantId, person: str) -> SeenConversation | None:
        """The person's own conversation with us, or None."""
        own = (seen for seen in reversed(self._of(channel, tenant)) if seen.person == person)
        return next(own, None)

    async def newest(self, channel: ChannelName, tenant: TenantId) -> SeenConversation | None:
        """The conversation of the tenant that was heard from last, or None."""
        return next(reversed(self._of(channel, tenant)), None)

    def _of(self, channel: ChannelName, tenant: TenantId) -> list[SeenConversation]:
        return [seen for seen in self._seen.values() if (seen.channel, seen.tenant) == (channel, tenant)]


class Whereabouts:
    """Keeps the newest address of each conversation. What has not changed is written again once in a while."""

    def __init__(self, store: SeenConversations) -> None:
        self._store = store
        self._written: OrderedDict[tuple[str, str], tuple[SeenConversation, float]] = OrderedDict()

    @property
    def store(self) -> SeenConversations:
        """Where they are kept."""
        return self._store

    async def note(self, activity: InboundActivity, origin: Origin) -> None:
        """The activity came from there just now; whose a personal chat is must be known. Raises `StoreUnavailable`."""
        if origin.address.scope == "dm" and not activity.sender.aad_object_id:
            return
        seen, now = _seen(activity, origin), asyncio.get_running_loop().time()
        key = (seen.tenant, seen.conversation)
        written, until = self._written.get(key, (None, now))
        if written != seen or now >= until:
            await self._store.put(seen)
            self._written[key] = (seen, now + AGAIN_SECONDS)
            if len(self._written) > _MOST_REMEMBERED:
                self._written.popitem(last=False)

    async def newest(self, place: Place) -> TeamsAddress:
        """The place's address, under the service URL that its conversation was last heard from.

        Raises `cards.errors.DeliveryRefused` for an address of another channel.
        """
        address = read_address(place.address)
        tenant = TenantId(read_teams_thread(place.thread).tenant)
        try:
            seen = await self._store.get(_CHANNEL, tenant, address.conversation)
        except StoreUnavailable:
            log.warning("teams_address_not_refreshed")
            return address
        return replace(address, service_url=read_address(seen.address).service_url) if seen else address


def _seen(activity: InboundActivity, origin: Origin) -> SeenConversation:
    address, is_alone = origin.address, origin.address.scope == "dm"
    known = replace(address, conversation_id=address.conversation, is_answered=False, locale=None)
    return SeenConversation(
        channel=_CHANNEL,
        tenant=TenantId(origin.thread.tenant),
        conversation=address.conversation,
        address=write_address(known),
        person=activity.sender.aad_object_id if is_alone else "",
    )
