"""Where a conversation is held, the same for both platforms: what is said, what stands there, what is pressed."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

import aiohttp

from adapters.channels.teams.app import MESSAGES_PATH
from cards.actions import decode_action
from tests.chaos.plans import Plan
from tests.chaos.policy import slack_direct, slack_user, teams_direct, teams_person
from tests.chaos.post import Post
from tests.fakes.slack.deliveries import Deliveries, mention_event, press_of, sample
from tests.fakes.slack.workspace import BOT_USER, Json, Workspace
from tests.fakes.teams.connector import TeamsStandIn
from tests.fakes.teams.people import Answer, Conversation, TeamsClient, buttons
from tests.fakes.teams.posted import Posted
from tests.scenario.slack import SECRET

CHANNEL = "C0SALES"


@dataclass(frozen=True, kw_only=True)
class Shown:
    """A message of the bot: what can be pressed, what is `seen` of it, and what the platform keeps of its versions."""

    id: str
    verbs: frozenset[str]
    seen: tuple[str, list[Json]]
    versions: tuple[Json, ...]

    @property
    def text(self) -> str:
        """As its readers see it now."""
        return "\n".join((self.seen[0], *_texts(self.seen[1])))

    @property
    def raw(self) -> str:
        """All of it as it is now, what only the platform sees included."""
        return json.dumps(self.versions[-1], ensure_ascii=False)

    @property
    def was(self) -> str:
        """Whatever it said."""
        return json.dumps(self.versions, ensure_ascii=False)


class Room(Protocol):
    """One conversation. `place` is a part of its thread's key that no other thread has."""

    @property
    def place(self) -> str: ...

    def shown(self) -> tuple[Shown, ...]:
        """Every message of the bot, oldest first."""
        ...

    async def say(self, person: str, text: str) -> None:
        """Write there; the first message opens the thread."""
        ...

    async def press(self, person: str, message: str, verb: str) -> str:
        """Press the first button of that verb, as the message stands when it is pressed; what is answered."""
        ...


@dataclass(kw_only=True)
class SlackRoom:
    """A thread of the channel, or of a direct conversation."""

    plan: Plan
    workspace: Workspace
    session: aiohttp.ClientSession
    post: Post
    root: str = ""

    @property
    def channel(self) -> str:
        """The conversation that the thread is in."""
        return slack_direct(self.plan.asker) if self.plan.is_private else CHANNEL

    @property
    def place(self) -> str:
        """The root's `ts`."""
        return self.root

    def shown(self) -> tuple[Shown, ...]:
        """Every message of the bot, oldest first."""
        held = self.workspace.thread(self.channel, self.root)
        return tuple(slack_message(message) for message in held if message.get("user") == BOT_USER)

    async def say(self, person: str, text: str) -> None:
        """Write there, naming the bot outside direct conversations."""
        words = text if self.plan.is_private else f"<@{BOT_USER}> {text}"
        said = self.workspace.say(self.channel, {"user": slack_user(person), "text": words})
        if self.root:
            said["thread_ts"] = self.root
        thread, self.root = self.root, self.root or str(said["ts"])
        payload = self._event(said, slack_user(person), thread)
        await self.post.deliver(self.root, lambda url: self._send_event(url, payload))

    async def press(self, person: str, message: str, verb: str) -> str:
        """Press a button; Slack's clients show no answer to it."""
        held = self.workspace.message(self.channel, message)
        button = _slack_button(held, verb)
        if button is None:
            return ""
        trigger, at = self.workspace.trigger(), self.workspace.next_ts()
        payload = press_of(button, held, channel=self.channel, user=slack_user(person), trigger=trigger, at=at)
        await self.post.deliver(self.root, lambda url: self._send_click(url, payload))
        return ""

    def _event(self, said: Json, user: str, thread: str) -> Json:
        if not self.plan.is_private:
            return mention_event(said, channel=self.channel, user=user, thread=thread)
        payload = sample(
            "message_im",
            event_id=f"Ev{said['ts']}",
            event__text=said["text"],
            event__user=user,
            event__ts=said["ts"],
            event__event_ts=said["ts"],
            event__channel=self.channel,
        )
        if thread:
            payload["event"]["thread_ts"] = thread
        return payload

    async def _send_event(self, url: str, payload: Json) -> int:
        return (await Deliveries(session=self.session, url=url, secret=SECRET).event(payload)).status

    async def _send_click(self, url: str, payload: Json) -> int:
        return (await Deliveries(session=self.session, url=url, secret=SECRET).interaction(payload)).status


@dataclass(kw_only=True)
class TeamsRoom:
    """A thread of a channel that nothing else is asked in, or a person's own chat."""

    plan: Plan
    teams: TeamsStandIn
    post: Post
    client: "PostedTeams" = field(init=False)

    def __post_init__(self) -> None:
        self.client = PostedTeams(teams=self.teams, bot_url="", post=self.post)

    @property
    def conversation(self) -> Conversation:
        """The channel or the chat."""
        if self.plan.is_private:
            return Conversation(scope="personal", id=teams_direct(self.plan.asker))
        return Conversation(scope="channel", id=f"19:chaos{self.plan.name}@thread.tacv2")

    @property
    def place(self) -> str:
        """The part of the conversation's id that no way of writing it changes."""
        return self.conversation.id.partition("@")[0].partition(":")[2]

    def shown(self) -> tuple[Shown, ...]:
        """Every message of the bot, oldest first."""
        return tuple(teams_message(message) for message in self._held())

    async def say(self, person: str, text: str) -> None:
        """Write there, naming the bot in channels."""
        await self.client.say(teams_person(person), self.conversation, text, root=self.client.root)

    async def press(self, person: str, message: str, verb: str) -> str:
        """Press a button; what the person is shown for it."""
        posted = next(held for held in self._held() if held.id == message)
        titles = [button["title"] for button in _teams_buttons(posted) if button["verb"] == verb]
        if not titles:
            return ""
        shown = await self.client.press(teams_person(person), self.conversation, posted, titles[0])
        return json.dumps(shown, ensure_ascii=False)

    def _held(self) -> list[Posted]:
        return self.teams.in_conversation(self.conversation.thread(self.client.root))


@dataclass(kw_only=True)
class PostedTeams(TeamsClient):
    """Teams, in front of several processes. `root` is the first message of the conversation."""

    post: Post
    root: str = ""

    async def send(self, activity: dict[str, Any], **token: Any) -> Answer:
        """Deliver an activity; the answer that was given first."""
        self.root = self.root or str(activity["id"])
        answers: list[Answer] = []

        async def attempt(url: str) -> int:
            client = TeamsClient(teams=self.teams, bot_url=f"{url}{MESSAGES_PATH}", roles=self.roles)
            answer = await client.send(activity, **token)
            if answer.status < 500:
                answers.append(answer)
            return answer.status

        await self.post.deliver(str(activity["conversation"]["id"]), attempt)
        return answers[0]


def slack_message(message: Json) -> Shown:
    """A message of the workspace."""
    blocks = message.get("blocks", [])
    pressed = [element for block in blocks if block["type"] == "actions" for element in block["elements"]]
    verbs = frozenset(decode_action(each["value"]).verb for each in pressed if each["type"] == "button")
    return Shown(id=str(message["ts"]), verbs=verbs, seen=(message.get("text", ""), blocks), versions=(message,))


def teams_message(message: Posted) -> Shown:
    """A message of a conversation in Teams."""
    seen = (message.activity.get("text", ""), message.activity.get("attachments") or [])
    verbs = frozenset(str(button["verb"]) for button in _teams_buttons(message))
    return Shown(id=message.id, verbs=verbs, seen=seen, versions=tuple(message.versions))


def _slack_button(message: Json, verb: str) -> Json | None:
    for block in message.get("blocks", []):
        for element in block["elements"] if block["type"] == "actions" else ():
            if element["type"] == "button" and decode_action(element["value"]).verb == verb:
                found: Json = element
                return found
    return None


def _teams_buttons(message: Posted) -> Iterator[Json]:
    for attachment in message.activity.get("attachments") or ():
        yield from buttons(attachment.get("content"))


def _texts(node: object) -> Iterator[str]:
    """Everything a reader sees."""
    if isinstance(node, list):
        for item in node:
            yield from _texts(item)
    elif isinstance(node, dict):
        for name, value in node.items():
            if isinstance(value, str) and name in ("text", "title", "value", "codeSnippet"):
                yield value
            elif not isinstance(value, str):
                yield from _texts(value)
