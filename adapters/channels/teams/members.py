"""Who reads a Teams conversation, asked of the Bot Connector."""

import asyncio
from typing import Any, Final

import aiohttp
from pydantic import ValidationError
from yarl import URL

from adapters.channels.teams.activities import Wire
from adapters.channels.teams.addresses import read_address
from adapters.channels.teams.config import TeamsConfig
from adapters.channels.teams.thread_ids import read_teams_thread, split_conversation
from adapters.channels.teams.tokens import BotToken, issuer_of
from agent.values.identity import ExternalUser, TenantId, UserId
from agent.values.readership import ALONE, Readership
from agent.values.turn import Place
from cards.errors import DeliveryRefused, DeliveryUnavailable

KEPT_SECONDS: Final = 120.0
"""How long somebody who joined a conversation may go unseen."""

_MOST_KEPT: Final = 10_000
_LEAST_A_PAGE, _MOST_A_PAGE = 50, 500
_OUTSIDE: Final = frozenset({"guest", "anonymous"})
_OK, _UNAUTHORIZED, _BUSY, _SERVER_ERROR = 200, 401, 429, 500


class Member(Wire):
    """A member of a conversation as the Connector names them."""

    id: str = ""
    name: str = ""
    aad_object_id: str = ""
    object_id: str = ""
    email: str = ""
    user_principal_name: str = ""
    tenant_id: str = ""
    user_role: str = ""

    @property
    def is_outsider(self) -> bool:
        """Whether they are a guest of the tenant, or nobody it knows."""
        return self.user_role.lower() in _OUTSIDE


class MembersPage(Wire):
    """Some members; `continuation_token` is empty on the last page."""

    members: tuple[Member, ...] = ()
    continuation_token: str = ""


class TeamsMembers:
    """Implements `ChannelMembers` with the bot's own token. Of a channel, its team's members."""

    def __init__(self, config: TeamsConfig) -> None:
        self._config = config
        self._token = BotToken(issuer_of(config))
        self._kept: dict[str, tuple[float, Readership]] = {}

    async def readers(self, place: Place, most: int) -> Readership:
        """Who reads the thread, looking at `most` people. Raises `DeliveryUnavailable`, `DeliveryRefused`."""
        address, thread = read_address(place.address), read_teams_thread(place.thread)
        if address.scope == "dm":
            return ALONE
        now = asyncio.get_running_loop().time()
        key = f"{thread.tenant}:{thread.conversation}"
        until, kept = self._kept.get(key, (now, ALONE))
        if now < until:
            return kept
        conversation, _ = split_conversation(address.conversation_id)
        found = _readership(await self._page(address.service_url, conversation, most), thread.tenant, most)
        if len(self._kept) >= _MOST_KEPT:
            self._kept.clear()
        self._kept[key] = (now + KEPT_SECONDS, found)
        return found

    async def _page(self, service_url: str, conversation: str, most: int) -> MembersPage:
        url = URL(service_url) / "v3" / "conversations" / conversation / "pagedmembers"
        size = min(max(most + 1, _LEAST_A_PAGE), _MOST_A_PAGE)
        try:
            async with asyncio.timeout(self._config.patience.request), aiohttp.ClientSession() as session:
                return await self._asked(session, url.with_query(pageSize=str(size)))
        except (aiohttp.ClientError, TimeoutError, ValueError, ValidationError) as error:
            raise DeliveryUnavailable(f"pagedmembers: {type(error).__name__}") from None

    async def _asked(self, session: aiohttp.ClientSession, url: URL) -> MembersPage:
        token = await self._token.current()
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        async with session.get(url, headers=headers, allow_redirects=False) as response:
            if response.status == _UNAUTHORIZED:
                self._token.forget()
            if response.status in (_UNAUTHORIZED, _BUSY) or response.status >= _SERVER_ERROR:
                raise DeliveryUnavailable(f"pagedmembers: {response.status}")
            if response.status != _OK:
                raise DeliveryRefused(f"pagedmembers: {response.status}")
            body: Any = await response.json(content_type=None)
            return MembersPage.model_validate(body)


def _readership(page: MembersPage, tenant: str, most: int) -> Readership:
    return Readership(
        people=tuple(_user(member, tenant) for member in page.members[:most]),
        is_whole=not page.continuation_token and len(page.members) <= most,
        is_external=any(_is_outside(member, tenant) for member in page.members),
    )


def _user(member: Member, tenant: str) -> ExternalUser:
    """A member without an object id stays somebody unknown; an address counts for people of the tenant only."""
    identified = member.aad_object_id or member.object_id
    email = (member.email or member.user_principal_name) if not _is_outside(member, tenant) else ""
    return ExternalUser(
        channel="teams",
        tenant=TenantId(member.tenant_id or tenant),
        user_id=UserId(identified),
        display_name=member.name,
        email=email or None,
    )


def _is_outside(member: Member, tenant: str) -> bool:
    is_nobody = not (member.aad_object_id or member.object_id)
    return is_nobody or member.user_role.lower() in _OUTSIDE or member.tenant_id not in ("", tenant)
