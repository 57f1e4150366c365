"""Everything Teams sends, handed to the product within Teams' time limit."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import structlog
from pydantic import ValidationError

from adapters.channels.teams.activities import ExecuteValue, InboundActivity
from adapters.channels.teams.adapter import InvokeAnswer
from adapters.channels.teams.answers import acknowledged, not_read, noticed
from adapters.channels.teams.config import TeamsConfig
from adapters.channels.teams.consented_files import ConsentedFiles
from adapters.channels.teams.errors import TenantNotAllowed
from adapters.channels.teams.inbound import Origin, click_turn, message_turn, origin_of
from adapters.channels.teams.mentions import mentions_bot
from adapters.channels.teams.outbound import TeamsChannel
from adapters.channels.teams.thread_ids import NotATeamsThread
from agent.ports import Clock
from agent.values.identity import ThreadKey
from agent.values.turn import Place, Turn
from cards.actions import MalformedAction
from cards.build.notices import malformed_notice
from cards.elements import Acknowledgement
from cards.errors import DeliveryRefused, DeliveryUnavailable
from cards.render.adaptive_buttons import pressed_action
from semantic_catalog.model import Locale

Receive = Callable[[Turn], Awaitable[Acknowledgement]]
Follows = Callable[[ThreadKey], Awaitable[bool]]

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamsIntake:
    """Reads activities and waits only until `receive` has stored the turn.

    `follows` says whether a channel's thread is one of ours, where people need not name the bot.
    """

    config: TeamsConfig
    channel: TeamsChannel
    consented: ConsentedFiles
    receive: Receive
    follows: Follows
    clock: Clock

    async def handle(self, activity: InboundActivity) -> InvokeAnswer | None:
        """Take one verified activity in; what is nothing to us is let pass.

        Raises `TenantNotAllowed`, and `StoreUnavailable` when Teams must deliver again.
        """
        if not self.config.admits(activity.tenant):
            raise TenantNotAllowed(activity.tenant)
        try:
            return await self._dispatch(activity)
        except NotATeamsThread:
            log.warning("teams_activity_without_thread", type=activity.type, name=activity.name)
            return None

    async def _dispatch(self, activity: InboundActivity) -> InvokeAnswer | None:
        match activity.type:
            case "message":
                await self._message(activity, origin_of(activity))
                return None
            case "invoke":
                return await self._invoke(activity)
            case _:
                log.debug("teams_activity_ignored", type=activity.type)
                return None

    async def _invoke(self, activity: InboundActivity) -> InvokeAnswer | None:
        match activity.name:
            case "adaptiveCard/action":
                return await self._execute(activity, origin_of(activity))
            case "fileConsent/invoke":
                return await self.consented.answer(activity, origin_of(activity))
            case "message/submitAction":
                return InvokeAnswer(body={})
            case _:
                log.info("teams_invoke_not_served", name=activity.name)
                return None

    async def _message(self, activity: InboundActivity, origin: Origin) -> None:
        if activity.value is not None and not activity.text:
            await self._submit(activity, origin)
        elif await self._is_addressed(activity, origin):
            hosts = self.config.endpoints.file_hosts
            turn = message_turn(activity, origin, self.config.tenant_id, hosts, self.clock.now())
            if turn.text or turn.files or mentions_bot(activity):
                said = await self.receive(turn)
                if said.notice:
                    await self._tell(turn, said.notice)

    async def _is_addressed(self, activity: InboundActivity, origin: Origin) -> bool:
        if origin.address.scope == "dm" or mentions_bot(activity):
            return True
        return origin.address.scope == "channel" and await self.follows(origin.key)

    async def _submit(self, activity: InboundActivity, origin: Origin) -> None:
        """A button of a client that knows no Execute: nobody waits for an answer, so a notice is posted."""
        try:
            action = pressed_action(activity.value)
        except MalformedAction:
            turn = message_turn(activity, origin, self.config.tenant_id, (), self.clock.now())
            await self._tell(turn, malformed_notice(self._locale(origin)))
            return
        turn = click_turn(activity, origin, self.config.tenant_id, action, self.clock.now())
        said = await self.receive(turn)
        if said.notice:
            await self._tell(turn, said.notice)

    async def _execute(self, activity: InboundActivity, origin: Origin) -> InvokeAnswer:
        try:
            told = ExecuteValue.model_validate(activity.value)
            if told.action.type != "Action.Execute":
                return not_read()
            action = pressed_action(told.action.data)
        except ValidationError:
            return not_read()
        except MalformedAction:
            return noticed(malformed_notice(self._locale(origin)))
        if told.trigger == "automatic":
            # A card that redraws itself decides nothing.
            return acknowledged(Acknowledgement(), self._locale(origin))
        turn = click_turn(activity, origin, self.config.tenant_id, action, self.clock.now())
        return acknowledged(await self.receive(turn), self._locale(origin))

    async def _tell(self, turn: Turn, words: str) -> None:
        """A notice that cannot be posted is lost: the click it belongs to did nothing anyway."""
        try:
            await self.channel.notify(Place(thread=turn.thread, address=turn.address), turn.author, words)
        except (DeliveryUnavailable, DeliveryRefused) as error:
            log.warning("teams_notice_lost", code=error.code, detail=error.detail)

    def _locale(self, origin: Origin) -> Locale:
        return origin.address.locale or self.config.default_locale
