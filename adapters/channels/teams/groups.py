"""Who is in the groups of an Entra tenant, asked of Microsoft Graph."""

import asyncio
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import Any, Final

import aiohttp
from yarl import URL

from adapters.channels.teams.config import TeamsConfig
from adapters.channels.teams.tokens import BotToken, graph_issuer_of
from agent.errors import GroupsUnavailable
from agent.values.identity import ExternalUser
from cards.errors import DeliveryUnavailable

KEPT_SECONDS: Final = 180.0
"""How long a change of a group may go unseen by questions; decisions see it at once."""

_MOST_GROUPS: Final = 20
_MOST_KEPT: Final = 10_000
_PATIENCE_SECONDS: Final = 2.0
_OK, _UNAUTHORIZED, _NOT_FOUND = 200, 401, 404


class EntraGroups:
    """Implements `GroupDirectory` with a token of the app (permissions `User.Read.All`, `GroupMember.Read.All`).

    Members of groups inside a group count. Only the ids that the policy names are sent and learned.
    """

    def __init__(self, config: TeamsConfig) -> None:
        self._config = config
        self._tokens: dict[str, BotToken] = {}
        self._kept: dict[tuple[str, str, frozenset[str]], tuple[float, frozenset[str]]] = {}

    async def groups_of(self, user: ExternalUser, groups: Collection[str], *, fresh: bool = False) -> frozenset[str]:
        """Those of `groups` that hold the user. Raises `GroupsUnavailable`."""
        now = asyncio.get_running_loop().time()
        key = (user.tenant, user.user_id, frozenset(groups))
        until, kept = self._kept.get(key, (now, frozenset()))
        if now < until and not fresh:
            return kept
        held = await self._asked(user, tuple(groups))
        self._keep(key, now, held)
        return held

    def _keep(self, key: tuple[str, str, frozenset[str]], now: float, held: frozenset[str]) -> None:
        if len(self._kept) >= _MOST_KEPT:
            self._kept.clear()
        self._kept[key] = (now + KEPT_SECONDS, held)

    async def _asked(self, user: ExternalUser, groups: Sequence[str]) -> frozenset[str]:
        token = self._tokens.setdefault(user.tenant, BotToken(graph_issuer_of(self._config, user.tenant)))
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS), aiohttp.ClientSession() as session:
                answers = [await self._checked(session, token, user.user_id, part) for part in _parts(groups)]
        except (aiohttp.ClientError, TimeoutError, ValueError) as error:
            raise GroupsUnavailable(f"checkMemberGroups: {type(error).__name__}") from None
        except DeliveryUnavailable as error:
            raise GroupsUnavailable(error.detail) from None
        held = {name.lower() for answer in answers for name in answer}
        return frozenset(group for group in groups if group.lower() in held)

    async def _checked(
        self, session: aiohttp.ClientSession, token: BotToken, user_id: str, groups: Sequence[str]
    ) -> tuple[str, ...]:
        headers = {"Authorization": f"Bearer {await token.current()}"}
        asked = {"groupIds": list(groups)}
        url = URL(self._config.endpoints.graph_url) / "users" / user_id / "checkMemberGroups"
        async with session.post(url, json=asked, headers=headers, allow_redirects=False) as response:
            if response.status == _NOT_FOUND:
                return ()
            if response.status == _UNAUTHORIZED:
                token.forget()
            if response.status != _OK:
                raise GroupsUnavailable(f"checkMemberGroups: {response.status}")
            return _names(await response.json(content_type=None))


def _parts(groups: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """As many at a time as Graph takes."""
    rest = iter(groups)
    while part := tuple(islice(rest, _MOST_GROUPS)):
        yield part


def _names(body: Any) -> tuple[str, ...]:
    held = body.get("value") if isinstance(body, dict) else None
    if not isinstance(held, list):
        raise GroupsUnavailable("checkMemberGroups: the answer holds no groups")
    return tuple(name for name in held if isinstance(name, str))
