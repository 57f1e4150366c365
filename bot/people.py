"""People as the product reaches them: alone, under the ids their platforms know them by."""

from collections.abc import Mapping
from dataclasses import dataclass

import structlog

from agent.ports import PolicySource
from agent.values.identity import ChannelName, ExternalUser, PrincipalId
from agent.values.turn import CardRef, Place
from bot.ports import DirectMessages, PostFinder, SeenIdentities
from cards.elements import Card
from cards.errors import DeliveryRefused, DeliveryUnavailable

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class People:
    """Writes to people alone. Best effort: what a platform does not take is logged, and nobody's run fails by it."""

    messages: Mapping[ChannelName, DirectMessages]
    policy: PolicySource
    seen: SeenIdentities

    async def users_of(self, principal: PrincipalId, channel: ChannelName) -> tuple[ExternalUser, ...]:
        """The principal's users on platforms that take direct messages, those of `channel` first."""
        known = [*self._named(principal), *await self.seen.of(principal)]
        reachable = [user for user in known if user.channel in self.messages]
        return tuple(sorted(dict.fromkeys(reachable), key=lambda user: user.channel != channel))

    async def write(
        self, principal: PrincipalId, channel: ChannelName, card: Card, key: str, *, unsure: bool = False
    ) -> tuple[CardRef, Place] | None:
        """Post the card to the principal alone, where they are reached first; None where they are not.

        `unsure`: it may have been posted before, and is looked for first where the channel can.
        """
        for user in await self.users_of(principal, channel):
            messages, own = self.messages[user.channel], f"{key}@{user.user_id}"
            try:
                found = await _found(messages, user, own) if unsure else None
                return found or await messages.direct(user, card, own)
            except (DeliveryUnavailable, DeliveryRefused) as error:
                log.warning("person_not_reached", channel=user.channel, code=error.code, detail=error.detail)
        return None

    async def takes_part(self, principal: PrincipalId, channel: ChannelName, place: Place) -> bool:
        """Whether the principal wrote in the thread; false where the platform does not tell."""
        users = [user for user in await self.users_of(principal, channel) if user.channel == channel]
        for user in users:
            try:
                if await self.messages[channel].takes_part(place, user):
                    return True
            except (DeliveryUnavailable, DeliveryRefused) as error:
                log.warning("thread_not_read", channel=channel, code=error.code, detail=error.detail)
        return False

    async def is_gone(self, principal: PrincipalId, channel: ChannelName) -> bool:
        """Whether the platform says that the principal may no longer sign in. Raises `DeliveryUnavailable`."""
        users = [user for user in await self.users_of(principal, channel) if user.channel == channel]
        return bool(users) and not any([await self.messages[channel].is_active(user) for user in users])

    def _named(self, principal: PrincipalId) -> list[ExternalUser]:
        """The ids that the policy file itself writes down."""
        return [
            ExternalUser(channel=identity.channel, tenant=identity.tenant, user_id=identity.user_id)
            for person in self.policy.current().people
            if person.principal.id == principal
            for identity in person.identities
        ]


async def _found(messages: DirectMessages, user: ExternalUser, key: str) -> tuple[CardRef, Place] | None:
    return await messages.find_direct(user, key) if isinstance(messages, PostFinder) else None
