"""Everything Slack sends, handed to the product within Slack's 3 seconds."""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Final

import structlog
from slack_bolt.response import BoltResponse

from adapters.channels.slack.answers import answer
from adapters.channels.slack.commands import Command, read_command, take_command
from adapters.channels.slack.door import Door
from adapters.channels.slack.edits import CHANGED, Edits
from adapters.channels.slack.errors import asking_slack
from adapters.channels.slack.fields import Record, record, text
from adapters.channels.slack.inbound import MESSAGES, Message, inbound_file, message_turn, read_message
from adapters.channels.slack.modal import ASKED
from adapters.channels.slack.pressing import Pressing
from adapters.channels.slack.shortcuts import ABOUT_MESSAGE, FROM_ANYWHERE, Shortcuts
from adapters.channels.slack.tabs import OPENED, Tabs
from adapters.channels.slack.thread_ids import NotASlackThread
from agent.errors import StoreUnavailable
from agent.values.turn import InboundFile
from agent.wording.texts import say
from cards.errors import DeliveryRefused, DeliveryUnavailable
from semantic_catalog.model import Locale

COMMAND_SECONDS: Final = 2.0
"""How long the answer to a command waits for its outcome; Slack waits for 3 seconds."""

log = structlog.get_logger()


async def stored_or_again(work: Awaitable[BoltResponse]) -> BoltResponse:
    """What the work answers; 503 while something is out of reach, so that Slack delivers again."""
    try:
        return await work
    except (StoreUnavailable, DeliveryUnavailable) as error:
        log.warning("slack_turn_not_stored", code=error.code, detail=error.detail)
        return BoltResponse(status=503, body="")


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackIntake:
    """Reads Slack's payloads and waits only until the turn is stored.

    What could not be stored is answered 503 and Slack delivers events again; a command or a dialog, which it does not,
    tells its author.
    """

    door: Door

    async def handle(self, body: Record) -> BoltResponse:
        """Answer one verified payload. What is nothing to us is answered 200, so that Slack does not send it again."""
        try:
            return await stored_or_again(self._handle(body))
        except NotASlackThread:
            log.warning("slack_payload_not_read", type=text(body, "type"), kind=text(body, "event", "type"))
            return answer()

    async def _handle(self, body: Record) -> BoltResponse:
        if text(body, "command"):
            return await self._command(body)
        match text(body, "type"):
            case "event_callback":
                return await self._event(body)
            case "block_actions":
                return await Pressing(door=self.door).click(body)
            case "view_submission" if text(body, "view", "callback_id") == ASKED:
                return await Shortcuts(door=self.door).submission(body)
            case "view_submission":
                return await Pressing(door=self.door).submission(body)
            case kind if kind in (ABOUT_MESSAGE, FROM_ANYWHERE):
                return await Shortcuts(door=self.door).open(body)
            case _:
                return answer()

    async def _event(self, body: Record) -> BoltResponse:
        kind, subtype = text(body, "event", "type"), text(body, "event", "subtype")
        if kind == OPENED:
            self.door.background.start(Tabs(door=self.door).opened(body))
        elif kind in MESSAGES and subtype == CHANGED:
            await Edits(door=self.door).changed(body)
        elif kind in MESSAGES:
            await self._message(body)
        else:
            log.debug("slack_event_ignored", kind=kind)
        return answer()

    async def _message(self, body: Record) -> None:
        home = await self.door.home()
        message = read_message(body, home)
        if message is not None and (message.is_addressed or await self.door.follows(message.origin.key)):
            author = await self.door.author(message.origin)
            turn = message_turn(message, await self._files(message), author, self.door.clock.now(), home.team)
            await self.door.take(turn, message.origin)

    async def _command(self, body: Record) -> BoltResponse:
        command = read_command(body, await self.door.home())
        taken = self.door.background.start(self._taken(command))
        done, _ = await asyncio.wait({taken}, timeout=COMMAND_SECONDS)
        if done:
            words = taken.result()
            return answer({"response_type": "ephemeral", "text": words} if words else None)
        self.door.background.start(self._tell_late(taken, command))
        return answer()

    async def _taken(self, command: Command) -> str:
        """Take the command in; what to tell its author at once, also when that failed."""
        locale = self.door.default_locale
        try:
            locale = (await self._locale(command)) or locale
            return await take_command(command, self.door)
        except DeliveryRefused as error:
            log.info("slack_command_refused", detail=error.detail)
            return say(locale, "slack.command_refused")
        except (StoreUnavailable, DeliveryUnavailable) as error:
            log.warning("slack_command_not_stored", code=error.code, detail=error.detail)
            return say(locale, "slack.not_kept")

    async def _locale(self, command: Command) -> Locale | None:
        asker = command.asker
        return (await self.door.people.person(asker.user, asker.team, await self.door.home())).locale

    async def _tell_late(self, taken: "asyncio.Task[str]", command: Command) -> None:
        words = await taken
        if words:
            await self.door.replies.answer_command(command.reply_url, words)

    async def _files(self, message: Message) -> tuple[InboundFile, ...]:
        return tuple([inbound_file(await self._whole(told), message.origin.thread.team) for told in message.files])

    async def _whole(self, told: Record) -> Record:
        """The file as Slack knows it: in shared channels the event tells its id only."""
        if text(told, "file_access") != "check_file_info":
            return told
        try:
            with asking_slack("files.info"):
                return record((await self.door.clients.once.files_info(file=text(told, "id"))).data, "file")
        except DeliveryRefused as error:
            log.warning("slack_file_unknown", detail=error.detail)
            return told
