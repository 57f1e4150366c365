"""Everything Slack sends, handed to the product within Slack's 3 seconds."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Final

import structlog
from slack_bolt.response import BoltResponse

from adapters.channels.slack.background import Background
from adapters.channels.slack.clients import SlackClients
from adapters.channels.slack.commands import Command, open_thread, read_command
from adapters.channels.slack.errors import asking_slack
from adapters.channels.slack.fields import Record, record, text
from adapters.channels.slack.inbound import MESSAGES, Message, Origin, inbound_file, message_turn, read_message, turn_of
from adapters.channels.slack.installation import InstalledBot
from adapters.channels.slack.interactions import Click, Submission, read_click, read_submission
from adapters.channels.slack.modal import ANSWER_BLOCK
from adapters.channels.slack.people import SlackPeople, SlackPerson
from adapters.channels.slack.replies import PrivateReplies
from adapters.channels.slack.thread_ids import NotASlackThread
from agent.errors import StoreUnavailable
from agent.ports import Clock
from agent.values.identity import ThreadKey
from agent.values.turn import InboundFile, Turn
from agent.wording.texts import say
from cards.actions import MalformedAction, decode_action, turn_kind
from cards.build.notices import malformed_notice
from cards.build.prompts import prompt_of
from cards.elements import Acknowledgement
from cards.errors import DeliveryRefused, DeliveryUnavailable
from cards.render.block_kit_buttons import locale_of
from semantic_catalog.model import Locale

COMMAND_SECONDS: Final = 2.0
"""How long the answer to a command waits for its outcome; Slack waits for 3 seconds."""

Receive = Callable[[Turn], Awaitable[Acknowledgement]]
Follows = Callable[[ThreadKey], Awaitable[bool]]

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackIntake:
    """Reads Slack's payloads and waits only until `receive` has stored the turn.

    What could not be stored is answered 503 and Slack delivers events again; a command or a dialog, which it does not,
    tells its author. `follows` says whether a thread is one of ours, where people need not name the bot.
    """

    bot: InstalledBot
    clients: SlackClients
    people: SlackPeople
    replies: PrivateReplies
    background: Background
    receive: Receive
    follows: Follows
    clock: Clock
    default_locale: Locale

    async def handle(self, body: Record) -> BoltResponse:
        """Answer one verified payload. What is nothing to us is answered 200, so that Slack does not send it again."""
        try:
            return await self._handle(body)
        except NotASlackThread:
            log.warning("slack_payload_not_read", type=text(body, "type"), kind=text(body, "event", "type"))
            return _answer()
        except (StoreUnavailable, DeliveryUnavailable) as error:
            log.warning("slack_turn_not_stored", code=error.code, detail=error.detail)
            return BoltResponse(status=503, body="")

    async def _handle(self, body: Record) -> BoltResponse:
        if text(body, "command"):
            return await self._command(body)
        match text(body, "type"):
            case "event_callback" if text(body, "event", "type") in MESSAGES:
                return await self._event(body)
            case "event_callback":
                log.debug("slack_event_ignored", kind=text(body, "event", "type"))
                return _answer()
            case "block_actions":
                return await self._click(body)
            case "view_submission":
                return await self._submission(body)
            case _:
                return _answer()

    async def _event(self, body: Record) -> BoltResponse:
        home = await self.bot.installation()
        message = read_message(body, home)
        if message is not None and (message.is_addressed or await self.follows(message.origin.key)):
            author = await self._author(message.origin)
            turn = message_turn(message, await self._files(message), author, self.clock.now(), home.team)
            await self._take(turn, message.origin)
        return _answer()

    async def _click(self, body: Record) -> BoltResponse:
        click = read_click(body, await self.bot.installation())
        if click is None:
            return _answer()
        locale = locale_of(click.action_id)
        try:
            action = decode_action(click.encoded)
        except MalformedAction:
            self._tell(click.origin, malformed_notice(locale))
            return _answer()
        prompt = prompt_of(action, locale)
        if prompt is not None:
            self.background.start(self.replies.ask(click, prompt, locale))
            return _answer()
        await self._pressed(click, "")
        return _answer()

    async def _submission(self, body: Record) -> BoltResponse:
        sent = read_submission(body, await self.bot.installation())
        if sent is None:
            return _answer()
        try:
            await self._pressed(sent, sent.typed)
        except MalformedAction:
            self._tell(sent.origin, malformed_notice(locale_of(sent.action_id)))
        except (StoreUnavailable, DeliveryUnavailable) as error:
            log.warning("slack_dialog_not_stored", code=error.code)
            words = say(locale_of(sent.action_id), "slack.not_kept")
            return _answer({"response_action": "errors", "errors": {ANSWER_BLOCK: words}})
        return _answer()

    async def _pressed(self, button: Click | Submission, typed: str) -> None:
        action = replace(decode_action(button.encoded), text=typed)
        author = await self._author(button.origin)
        home = (await self.bot.installation()).team
        turn = turn_of(
            button.origin,
            author,
            self.clock.now(),
            home,
            kind=turn_kind(action),
            action=action,
            pressed_on=button.message,
        )
        await self._take(turn, button.origin)

    async def _command(self, body: Record) -> BoltResponse:
        command = read_command(body, await self.bot.installation())
        taken = self.background.start(self._taken(command))
        done, _ = await asyncio.wait({taken}, timeout=COMMAND_SECONDS)
        if done:
            words = taken.result()
            return _answer({"response_type": "ephemeral", "text": words} if words else None)
        self.background.start(self._tell_late(taken, command))
        return _answer()

    async def _taken(self, command: Command) -> str:
        """Take the command's question in; what to tell its author when that failed, else nothing."""
        locale = self.default_locale
        try:
            home = await self.bot.installation()
            author = await self.people.person(command.user, command.user_team, home)
            locale = author.locale or locale
            if not command.text:
                return say(locale, "slack.command_empty", command=command.name)
            origin = await open_thread(self.clients.posting, command, home, locale)
            turn = turn_of(origin, author, self.clock.now(), home.team, kind="command", text=command.text)
            await self._take(turn, origin)
        except DeliveryRefused as error:
            log.info("slack_command_refused", detail=error.detail)
            return say(locale, "slack.command_refused")
        except (StoreUnavailable, DeliveryUnavailable) as error:
            log.warning("slack_command_not_stored", code=error.code, detail=error.detail)
            return say(locale, "slack.not_kept")
        return ""

    async def _tell_late(self, taken: "asyncio.Task[str]", command: Command) -> None:
        words = await taken
        if words:
            await self.replies.answer_command(command.reply_url, words)

    async def _take(self, turn: Turn, origin: Origin) -> None:
        said = await self.receive(turn)
        if said.notice:
            self._tell(origin, said.notice)

    def _tell(self, origin: Origin, words: str) -> None:
        self.background.start(self.replies.tell(origin.thread, origin.user, words))

    async def _author(self, origin: Origin) -> SlackPerson:
        return await self.people.person(origin.user, origin.user_team, await self.bot.installation())

    async def _files(self, message: Message) -> tuple[InboundFile, ...]:
        return tuple([inbound_file(await self._whole(told)) for told in message.files])

    async def _whole(self, told: Record) -> Record:
        """The file as Slack knows it: in shared channels the event tells its id only."""
        if text(told, "file_access") != "check_file_info":
            return told
        try:
            with asking_slack("files.info"):
                return record((await self.clients.once.files_info(file=text(told, "id"))).data, "file")
        except DeliveryRefused as error:
            log.warning("slack_file_unknown", detail=error.detail)
            return told


def _answer(payload: dict[str, object] | None = None) -> BoltResponse:
    return BoltResponse(status=200, body=payload or "")
