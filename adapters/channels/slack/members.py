"""Who reads a Slack conversation."""

import asyncio
from typing import Final

import structlog
from slack_sdk.web.async_client import AsyncWebClient

from adapters.channels.slack.errors import asking_slack
from adapters.channels.slack.fields import Record, flag, record, text, texts
from adapters.channels.slack.installation import Installation
from adapters.channels.slack.people import person_of
from adapters.channels.slack.thread_ids import read_slack_thread
from agent.values.identity import ExternalUser
from agent.values.readership import ALONE, Readership
from agent.values.turn import Place
from cards.errors import DeliveryRefused

KEPT_SECONDS: Final = 120.0
"""How long somebody who joined a conversation may go unseen."""

PERSON_KEPT_SECONDS: Final = 600.0
_MOST_KEPT: Final = 10_000
_AT_ONCE: Final = 5
_SHARED: Final = ("is_ext_shared", "is_pending_ext_shared")
_GUEST: Final = ("is_restricted", "is_ultra_restricted", "is_stranger")

log = structlog.get_logger()


class SlackMembers:
    """Implements `ChannelMembers` with the bot's own token (scopes `channels:read`, `groups:read`, `mpim:read`)."""

    def __init__(self, client: AsyncWebClient) -> None:
        self._client = client
        self._kept: dict[str, tuple[float, Readership]] = {}
        self._people: dict[str, tuple[float, Record]] = {}
        self._asked = asyncio.Semaphore(_AT_ONCE)

    async def readers(self, place: Place, most: int) -> Readership:
        """Who reads the thread, looking at `most` people. Raises `DeliveryUnavailable`, `DeliveryRefused`."""
        thread = read_slack_thread(place.thread)
        if thread.channel.startswith("D"):
            return ALONE
        now = asyncio.get_running_loop().time()
        key = f"{thread.team}:{thread.channel}"
        until, kept = self._kept.get(key, (now, ALONE))
        if now < until:
            return kept
        found = await self._looked_up(thread.channel, thread.team, most)
        _bound(self._kept)
        self._kept[key] = (now + KEPT_SECONDS, found)
        return found

    async def _looked_up(self, channel: str, team: str, most: int) -> Readership:
        with asking_slack("conversations.info"):
            told = record((await self._client.conversations_info(channel=channel)).data, "channel")
        is_shared = any(flag(told, name) for name in _SHARED)
        ids, is_whole = await self._ids(channel, most)
        told_of = await asyncio.gather(*(self._person(user, team) for user in ids))
        facts = [each for each in told_of if not _is_bot(each)]
        # Without the person's own organisation an address counts for nobody of another workspace.
        home = Installation(team=team, bot_user="", bot_id="", enterprise="")
        people = tuple(_user(each, team, home) for each in facts)
        is_external = is_shared or any(_is_outside(each, team) for each in facts)
        return Readership(people=people, is_whole=is_whole, is_external=is_external)

    async def _ids(self, channel: str, most: int) -> tuple[tuple[str, ...], bool]:
        with asking_slack("conversations.members"):
            # One more than is looked at, and the bot itself.
            answer = (await self._client.conversations_members(channel=channel, limit=most + 2)).data
        ids = tuple(texts(answer, "members"))
        is_cut = bool(text(answer, "response_metadata", "next_cursor"))
        return ids[: most + 1], len(ids) <= most + 1 and not is_cut

    async def _person(self, user: str, team: str) -> Record:
        now, key = asyncio.get_running_loop().time(), f"{team}:{user}"
        until, kept = self._people.get(key, (now, {}))
        if now < until:
            return kept
        async with self._asked:
            told = await self._told(user)
        _bound(self._people)
        self._people[key] = (now + PERSON_KEPT_SECONDS, told)
        return told

    async def _told(self, user: str) -> Record:
        """Only their id where Slack does not say more: somebody unknown."""
        try:
            with asking_slack("users.info"):
                return record((await self._client.users_info(user=user)).data, "user")
        except DeliveryRefused as error:
            log.warning("slack_user_unknown", detail=error.detail)
            return {"id": user}


def _bound(kept: dict[str, tuple[float, Readership]] | dict[str, tuple[float, Record]]) -> None:
    if len(kept) >= _MOST_KEPT:
        kept.clear()


def _user(told: Record, team: str, home: Installation) -> ExternalUser:
    return person_of(told, text(told, "id"), text(told, "team_id") or team, home).user


def _is_bot(told: Record) -> bool:
    return flag(told, "is_bot") or text(told, "id") == "USLACKBOT"


def _is_outside(told: Record, team: str) -> bool:
    """A guest, or somebody of another workspace; an organisation's own workspaces are one."""
    if any(flag(told, name) for name in _GUEST):
        return True
    own = text(told, "team_id")
    return bool(own) and own != team and not text(told, "enterprise_user", "enterprise_id")
