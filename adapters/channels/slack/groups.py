"""Who is in a workspace's user groups."""

import asyncio
from collections.abc import Collection
from typing import Final

import structlog
from slack_sdk.web.async_client import AsyncWebClient

from adapters.channels.slack.errors import asking_slack
from adapters.channels.slack.fields import texts
from agent.errors import GroupsUnavailable
from agent.values.identity import ExternalUser
from cards.errors import DeliveryRefused, DeliveryUnavailable

KEPT_SECONDS: Final = 180.0
"""How long a change of a group may go unseen by questions; decisions see it at once."""

_PATIENCE_SECONDS: Final = 2.0
_METHOD: Final = "usergroups.users.list"
_GONE: Final = f"{_METHOD}: no_such_subteam"

log = structlog.get_logger()


class SlackGroups:
    """Implements `GroupDirectory` with the bot's own token (scope `usergroups:read`).

    `team` names the workspace where the token is a whole organisation's.
    """

    def __init__(self, client: AsyncWebClient, team: str = "") -> None:
        self._client = client
        self._team = team or None
        self._kept: dict[str, tuple[float, frozenset[str]]] = {}

    async def groups_of(self, user: ExternalUser, groups: Collection[str], *, fresh: bool = False) -> frozenset[str]:
        """Those of `groups` that hold the user. Raises `GroupsUnavailable`."""
        asked = tuple(groups)
        members = await asyncio.gather(*(self._members(group, fresh=fresh) for group in asked))
        return frozenset(group for group, held in zip(asked, members, strict=True) if user.user_id in held)

    async def _members(self, group: str, *, fresh: bool) -> frozenset[str]:
        now = asyncio.get_running_loop().time()
        until, kept = self._kept.get(group, (now, frozenset()))
        if now < until and not fresh:
            return kept
        members = await self._asked(group)
        self._kept[group] = (now + KEPT_SECONDS, members)
        return members

    async def _asked(self, group: str) -> frozenset[str]:
        try:
            with asking_slack(_METHOD):
                async with asyncio.timeout(_PATIENCE_SECONDS):
                    told = await self._client.usergroups_users_list(usergroup=group, team_id=self._team)
                    return frozenset(texts(told.data, "users"))
        except DeliveryRefused as error:
            if error.detail == _GONE:
                log.warning("slack_group_unknown", group=group)
                return frozenset()
            raise GroupsUnavailable(error.detail) from None
        except DeliveryUnavailable as error:
            raise GroupsUnavailable(error.detail) from None
