"""Who is in a conversation, as Teams tells its bot."""

import asyncio
from collections import OrderedDict
from typing import Final, Generic, TypeVar

from pydantic import ValidationError

from adapters.channels.teams.addresses import TeamsAddress
from adapters.channels.teams.members import Member, MembersPage
from adapters.channels.teams.rest import ConnectorRest, conversation_url
from cards.errors import DeliveryRefused, DeliveryUnavailable

MEMBER_SECONDS: Final = 3600.0
"""How long a person's role may go unseen after a change."""

MEMBERS_SECONDS: Final = 300.0
MOST_VIEWERS: Final = 60
_PAGE: Final = 100
_MOST_KEPT: Final = 10_000

Held = TypeVar("Held")


class Roster:
    """Members of conversations, asked for rarely. Raises `DeliveryUnavailable`."""

    def __init__(self, rest: ConnectorRest) -> None:
        self._rest = rest
        self._each: _Kept[Member | None] = _Kept(MEMBER_SECONDS)
        self._all: _Kept[tuple[Member, ...]] = _Kept(MEMBERS_SECONDS)

    async def member(self, address: TeamsAddress, person: str) -> Member | None:
        """The person by Teams' id or by object id; None where Teams does not tell."""
        key = f"{address.conversation}\n{person}"
        if key not in self._each:
            self._each[key] = await self._asked(address, person)
        return self._each[key]

    async def members(self, address: TeamsAddress) -> tuple[Member, ...]:
        """Everybody in the conversation; nobody where they are more than `MOST_VIEWERS` or Teams does not tell."""
        key = address.conversation
        if key not in self._all:
            self._all[key] = await self._page(address)
        return self._all[key]

    async def _asked(self, address: TeamsAddress, person: str) -> Member | None:
        url = conversation_url(address.service_url, address.conversation, "members", person)
        try:
            return Member.model_validate(await self._rest.get("member", url))
        except DeliveryRefused:
            return None
        except ValidationError:
            raise DeliveryUnavailable("member: the answer is none") from None

    async def _page(self, address: TeamsAddress) -> tuple[Member, ...]:
        url = conversation_url(address.service_url, address.conversation, "pagedmembers") % {"pageSize": _PAGE}
        try:
            page = MembersPage.model_validate(await self._rest.get("members", url))
        except DeliveryRefused:
            return ()
        except ValidationError:
            raise DeliveryUnavailable("members: the answer is none") from None
        is_whole = not page.continuation_token and len(page.members) <= MOST_VIEWERS
        return page.members if is_whole else ()


class _Kept(Generic[Held]):
    """What was learned lately, up to a number of things. Belongs to one event loop."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._held: OrderedDict[str, tuple[float, Held]] = OrderedDict()

    def __contains__(self, key: str) -> bool:
        held = self._held.get(key)
        return held is not None and asyncio.get_running_loop().time() < held[0]

    def __getitem__(self, key: str) -> Held:
        return self._held[key][1]

    def __setitem__(self, key: str, held: Held) -> None:
        self._held[key] = (asyncio.get_running_loop().time() + self._seconds, held)
        if len(self._held) > _MOST_KEPT:
            self._held.popitem(last=False)
