"""People of both platforms. Whatever they do is delivered late, twice, to any process, until one takes it."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import aiohttp

from adapters.channels.teams.app import MESSAGES_PATH
from tests.fakes.slack.deliveries import Deliveries, mention_event, press_of
from tests.fakes.slack.workspace import Json, Workspace
from tests.fakes.teams.connector import TeamsStandIn
from tests.fakes.teams.people import Answer, TeamsClient
from tests.scenario.slack import SECRET

Attempt = Callable[[str], Awaitable[int]]
COPIES = (1, 1, 2, 3)
LATEST_COPY_SECONDS = 3.0
AGAIN_AFTER_SECONDS = 0.7


@dataclass(kw_only=True)
class Post:
    """How deliveries travel. `slowest` is the longest time that a process took to answer one, in seconds."""

    urls: tuple[str, ...]
    chance: random.Random
    slowest: float = 0.0
    deliveries: int = 0
    refusals: int = 0

    async def deliver(self, attempt: Attempt) -> None:
        """As often as it happens to be delivered: each copy by itself, late or not, until a process takes it."""
        copies = self.chance.choice(COPIES)
        delays = [0.0, *(self.chance.uniform(0, LATEST_COPY_SECONDS) for _ in range(copies - 1))]
        await asyncio.gather(*(self._insist(attempt, delay) for delay in delays))

    async def _insist(self, attempt: Attempt, delay: float) -> None:
        await asyncio.sleep(delay)
        while not await self._is_taken(attempt):
            self.refusals += 1
            await asyncio.sleep(AGAIN_AFTER_SECONDS)

    async def _is_taken(self, attempt: Attempt) -> bool:
        url, began = self.chance.choice(self.urls), monotonic()
        self.deliveries += 1
        try:
            status = await attempt(url)
        except aiohttp.ClientError:
            return False
        self.slowest = max(self.slowest, monotonic() - began)
        return status < 500


@dataclass(frozen=True, kw_only=True)
class SlackSide:
    """Everybody in one channel of the workspace."""

    workspace: Workspace
    session: aiohttp.ClientSession
    post: Post
    channel: str = "C0SALES"

    async def say(self, text: str, *, user: str = "U0ANA", thread: str = "") -> str:
        """Mention the bot; the message's `ts`."""
        said = self.workspace.say(self.channel, {"user": user, "text": f"<@U0BOT> {text}"})
        if thread:
            said["thread_ts"] = thread
        payload = mention_event(said, channel=self.channel, user=user, thread=thread)
        await self.post.deliver(lambda url: self._event(url, payload))
        return str(said["ts"])

    async def press(self, message: Json, button: Json, *, user: str = "U0ANA") -> None:
        """Press a button of a message."""
        trigger, at = self.workspace.trigger(), self.workspace.next_ts()
        payload = press_of(button, message, channel=self.channel, user=user, trigger=trigger, at=at)
        await self.post.deliver(lambda url: self._click(url, payload))

    async def _event(self, url: str, payload: Json) -> int:
        return (await self._to(url).event(payload)).status

    async def _click(self, url: str, payload: Json) -> int:
        return (await self._to(url).interaction(payload)).status

    def _to(self, url: str) -> Deliveries:
        return Deliveries(session=self.session, url=url, secret=SECRET)


@dataclass(kw_only=True)
class TeamsSide(TeamsClient):
    """Teams, in front of several processes."""

    post: Post
    bot_url: str = ""
    last: list[Answer] = field(default_factory=list)

    async def send(self, activity: dict[str, Any], **token: Any) -> Answer:
        """Deliver an activity; the answer that was given first."""
        answers: list[Answer] = []

        async def attempt(url: str) -> int:
            client = TeamsClient(teams=self.teams, bot_url=f"{url}{MESSAGES_PATH}", roles=self.roles)
            answer = await client.send(activity, **token)
            if answer.status < 500:
                answers.append(answer)
            return answer.status

        await self.post.deliver(attempt)
        return answers[0]


def teams_side(teams: TeamsStandIn, post: Post) -> TeamsSide:
    """Everybody in Teams."""
    return TeamsSide(teams=teams, post=post)
