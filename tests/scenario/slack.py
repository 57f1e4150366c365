"""A person in Slack: speaks, reads the newest card of a thread, presses its buttons."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from aiohttp import ClientSession

from cards.actions import decode_action
from cards.limits import SLACK
from tests.fakes.slack.deliveries import Answer, Deliveries, mention_event, press_of, sample
from tests.fakes.slack.server import slack_server
from tests.fakes.slack.workspace import BOT_TOKEN, GivenFile, Json, StoredFile, Workspace
from tests.scenario.conftest import MakeSettings, RunningBot, running_bot
from tests.scenario.waiting import eventually

SECRET = "8f742231b10e8888abcd99yyyzzz85a5"


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackPeople:
    """Everybody in one conversation."""

    workspace: Workspace
    deliveries: Deliveries
    channel: str

    async def mention(self, text: str, *, user: str = "U0ANA", thread: str = "", event_id: str = "") -> str:
        """Mention the bot; the root of the thread that the answer belongs to."""
        said = self.workspace.say(self.channel, {"user": user, "text": f"<@U0BOT> {text}"})
        if thread:
            said["thread_ts"] = thread
        await self.deliver(said, user=user, thread=thread, event_id=event_id)
        return thread or str(said["ts"])

    async def deliver(self, said: Json, *, user: str, thread: str = "", event_id: str = "", retry: int = 0) -> Answer:
        """Send the event of a message that was said."""
        payload = mention_event(said, channel=self.channel, user=user, thread=thread, event_id=event_id)
        return await self.deliveries.event(payload, retry=retry)

    async def give(self, file: GivenFile, text: str = "", *, user: str = "U0ANA", thread: str = "") -> str:
        """Upload a file with a message that mentions the bot; the root of its thread."""
        said = self.workspace.say(self.channel, {"user": user, "text": f"<@U0BOT> {text}".strip()})
        if thread:
            said["thread_ts"] = thread
        payload = sample(
            "file_share",
            event_id=f"Ev{said['ts']}",
            event__text=said["text"],
            event__user=user,
            event__ts=said["ts"],
            event__channel=self.channel,
            event__channel_type="channel",
            event__files=[{"id": file.id, "name": file.name, "mimetype": file.mimetype, "size": len(file.content)}],
        )
        if thread:
            payload["event"]["thread_ts"] = thread
        assert (await self.deliveries.event(payload)).status == 200
        return thread or str(said["ts"])

    async def press(self, message: Json, verb: str, *, user: str = "U0ANA", index: int = 0, at: str = "") -> Answer:
        """Press a button of a message."""
        button = buttons_of(message, verb)[index]
        trigger, moment = self.workspace.trigger(), at or self.workspace.next_ts()
        payload = press_of(button, message, channel=self.channel, user=user, trigger=trigger, at=moment)
        return await self.deliveries.interaction(payload)

    async def send_dialog(self, text: str = "", *, user: str = "U0ANA", **fields: str) -> Answer:
        """Fill in the newest dialog and send it; `text` goes into its box for words."""
        view = self.workspace.views[-1]
        filled = {**({"text": text} if text else {}), **fields}
        payload = sample(
            "view_submission",
            user__id=user,
            view__private_metadata=view["private_metadata"],
            view__callback_id=view["callback_id"],
            view__id=view["id"],
            view__blocks=view["blocks"],
            view__state__values=_typed(view, filled),
        )
        return await self.deliveries.interaction(payload)

    def cards(self, root: str) -> list[Json]:
        """The bot's messages of a thread, oldest first."""
        return [message for message in self.workspace.thread(self.channel, root) if message.get("blocks")]

    async def card_with(self, root: str, verb: str) -> Json:
        """The newest card of the thread that has such a button."""

        def look() -> Json | None:
            found = [message for message in self.cards(root) if buttons_of(message, verb)]
            return found[-1] if found else None

        return await eventually(look, f"a card with {verb}")

    async def card_with_text(self, root: str, words: str) -> Json:
        """The newest card of the thread that says so."""

        def look() -> Json | None:
            found = [message for message in self.cards(root) if words in text_of(message)]
            return found[-1] if found else None

        return await eventually(look, f"a card with {words!r}")

    async def files(self, root: str, count: int) -> list[StoredFile]:
        """The files of a thread, once there are so many."""

        def look() -> list[StoredFile] | None:
            found = [file for file in self.workspace.files.values() if file.thread_ts == root and file.message_ts]
            return found if len(found) >= count else None

        return await eventually(look, f"{count} files")


@asynccontextmanager
async def people_of(url: str, workspace: Workspace, channel: str = "C0SALES") -> AsyncIterator[SlackPeople]:
    """Everybody in a conversation, in front of the bot at that address."""
    async with ClientSession() as http:
        deliveries = Deliveries(session=http, url=url, secret=SECRET)
        yield SlackPeople(workspace=workspace, deliveries=deliveries, channel=channel)


@asynccontextmanager
async def slack_talk(
    settings_of: MakeSettings, workspace: Workspace, **changes: Any
) -> AsyncIterator[tuple[SlackPeople, RunningBot]]:
    """Everybody in front of a bot and a worker that run on Slack's stand-in, which had nothing to refuse in the end."""
    async with slack_server(workspace) as server:
        given = {"slack_bot_token": BOT_TOKEN, "slack_signing_secret": SECRET, "slack_api_url": server.api, **changes}
        async with running_bot(settings_of(**given)) as bot, people_of(bot.url, workspace) as people:
            yield people, bot
    assert workspace.faults == []


def buttons_of(message: Json, verb: str) -> list[Json]:
    """The buttons of a message that carry this verb."""
    return [button for button in _buttons(message) if decode_action(button["value"]).verb == verb]


def text_of(message: Json) -> str:
    """Everything a reader sees in a message's blocks."""
    return "\n".join(_texts(message["blocks"]))


def _buttons(message: Json) -> Iterator[Json]:
    for block in message.get("blocks", []):
        if block["type"] == "actions":
            yield from (element for element in block["elements"] if element["type"] == "button")


def _texts(node: Any) -> Iterator[str]:
    if isinstance(node, list):
        for item in node:
            yield from _texts(item)
    elif isinstance(node, dict):
        if isinstance(node.get("text"), str):
            yield node["text"]
        for value in node.values():
            yield from _texts(value) if not isinstance(value, str) else ()


def _typed(view: Json, filled: dict[str, str]) -> Json:
    entries = {block["block_id"]: block["element"] for block in view["blocks"] if block["type"] == "input"}
    assert set(filled) <= set(entries)
    return {field: {element["action_id"]: _entered(element, filled.get(field))} for field, element in entries.items()}


def _entered(element: Json, value: str | None) -> Json:
    """What Slack sends of a field: what was chosen or typed, else what stood there."""
    if element["type"] == "static_select":
        chosen = next((option for option in element["options"] if option["value"] == value), None)
        assert chosen is not None or value is None
        return {"type": element["type"], "selected_option": chosen}
    value = element.get("initial_value") if value is None else value
    assert len(value or "") <= SLACK.modal_input
    return {"type": element["type"], "value": value}
