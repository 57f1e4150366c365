"""One person's own chat with the bot, opened where there is none yet."""

from dataclasses import dataclass

from pydantic import ValidationError

from adapters.channels.teams.activities import Wire
from adapters.channels.teams.addresses import TeamsAddress, read_address, write_address
from adapters.channels.teams.conversations import SeenConversations
from adapters.channels.teams.rest import ConnectorRest, conversation_url
from adapters.channels.teams.thread_ids import TeamsThread, teams_thread
from agent.values.identity import ExternalUser
from agent.values.turn import Place, SeenConversation
from cards.errors import DeliveryRefused, DeliveryUnavailable


class _Created(Wire):
    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectChats:
    """Finds or opens personal chats. Teams lets the bot open one only where the app is installed for the person."""

    rest: ConnectorRest
    seen: SeenConversations

    async def of(self, user: ExternalUser) -> Place:
        """Where the person is alone with the bot.

        Raises `DeliveryRefused` where the app is not installed for them or nobody of their tenant ever wrote,
        `DeliveryUnavailable`, `StoreUnavailable`.
        """
        if not user.user_id:
            raise DeliveryRefused("create conversation: nobody is named")
        known = await self.seen.of_person("teams", user.tenant, user.user_id) or await self._opened(user)
        return _place(user, known)

    async def known(self, user: ExternalUser) -> Place | None:
        """The person's chat where there is one already. Raises `StoreUnavailable`."""
        known = await self.seen.of_person("teams", user.tenant, user.user_id) if user.user_id else None
        return None if known is None else _place(user, known)

    async def _opened(self, user: ExternalUser) -> SeenConversation:
        near = await self.seen.newest("teams", user.tenant)
        if near is None:
            raise DeliveryRefused("create conversation: nobody of the tenant was seen")
        beside = read_address(near.address)
        body = {
            "bot": {"id": beside.bot_id, "name": beside.bot_name},
            "members": [{"id": user.user_id}],
            "isGroup": False,
            "tenantId": user.tenant,
            "channelData": {"tenant": {"id": user.tenant}},
        }
        url = conversation_url(beside.service_url)
        try:
            created = _Created.model_validate(await self.rest.post("create conversation", url, body))
        except ValidationError:
            raise DeliveryUnavailable("create conversation: the answer is none") from None
        opened = _alone(user, created.id, beside)
        await self.seen.put(opened)
        return opened


def _place(user: ExternalUser, known: SeenConversation) -> Place:
    thread = teams_thread(TeamsThread(tenant=user.tenant, conversation=known.conversation))
    return Place(thread=thread, address=known.address)


def _alone(user: ExternalUser, conversation: str, beside: TeamsAddress) -> SeenConversation:
    address = TeamsAddress(
        service_url=beside.service_url,
        conversation_id=conversation,
        scope="dm",
        bot_id=beside.bot_id,
        bot_name=beside.bot_name,
    )
    return SeenConversation(
        channel="teams",
        tenant=user.tenant,
        conversation=conversation,
        address=write_address(address),
        person=user.user_id,
    )
