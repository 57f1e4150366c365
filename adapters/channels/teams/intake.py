"""Everything Teams sends, handed to the product within Teams' time limit."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import structlog

from adapters.channels.teams.activities import InboundActivity
from adapters.channels.teams.adapter import InvokeAnswer
from adapters.channels.teams.answers import noticed
from adapters.channels.teams.clicks import Clicks
from adapters.channels.teams.config import TeamsConfig
from adapters.channels.teams.consented_files import ConsentedFiles
from adapters.channels.teams.edits import Edits, is_edit
from adapters.channels.teams.errors import TenantNotAllowed
from adapters.channels.teams.inbound import Origin, message_turn, origin_of
from adapters.channels.teams.mentions import mentions_bot
from adapters.channels.teams.outbound import TeamsChannel
from adapters.channels.teams.senders import Senders, is_bot
from adapters.channels.teams.telling import Telling
from adapters.channels.teams.thread_ids import NotATeamsThread
from agent.ports import Clock
from agent.values.identity import ThreadKey
from agent.values.turn import Turn
from agent.wording.texts import say
from cards.elements import Acknowledgement

Receive = Callable[[Turn], Awaitable[Acknowledgement]]
Follows = Callable[[ThreadKey], Awaitable[bool]]

_FROM_PEOPLE = frozenset({"message", "messageUpdate", "invoke"})

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamsIntake:
    """Reads activities and waits only until `receive` has stored the turn.

    `follows` says whether a channel's thread is one of ours, where people need not name the bot.
    """

    config: TeamsConfig
    channel: TeamsChannel
    consented: ConsentedFiles
    senders: Senders
    clicks: Clicks
    edits: Edits
    telling: Telling
    receive: Receive
    follows: Follows
    clock: Clock

    async def handle(self, activity: InboundActivity) -> InvokeAnswer | None:
        """Take one verified activity in; what is nothing to us is let pass.

        Raises `TenantNotAllowed`, and `StoreUnavailable` or `DeliveryUnavailable` when Teams must deliver again.
        """
        if not self.config.admits(activity.tenant):
            raise TenantNotAllowed(activity.tenant)
        if is_bot(activity):
            return None
        try:
            origin = origin_of(activity)
        except NotATeamsThread:
            log.warning("teams_activity_without_thread", type=activity.type, name=activity.name)
            return None
        await self.channel.whereabouts.note(activity, origin)
        return await self._from_a_person(activity, origin) if activity.type in _FROM_PEOPLE else None

    async def _from_a_person(self, activity: InboundActivity, origin: Origin) -> InvokeAnswer | None:
        if not await self._is_for_us(activity, origin):
            return None
        known = await self.senders.known(activity, origin)
        if known is None:
            return await self._turn_away(activity, origin)
        match activity.type:
            case "message":
                await self._message(known, origin)
                return None
            case "messageUpdate":
                await self.edits.changed(known, origin)
                return None
            case _:
                return await self._invoke(known, origin)

    async def _is_for_us(self, activity: InboundActivity, origin: Origin) -> bool:
        """A click always is. Words are where the bot is alone with somebody, is named, or takes part in the thread."""
        if activity.type == "invoke" or _is_click(activity):
            return True
        if activity.type == "messageUpdate":
            return await self._is_our_edit(activity, origin)
        if origin.address.scope == "dm" or mentions_bot(activity):
            return True
        return origin.address.scope == "channel" and await self.follows(origin.key)

    async def _is_our_edit(self, activity: InboundActivity, origin: Origin) -> bool:
        """In a group chat people write to each other too: only what names the bot was for it."""
        if not is_edit(activity) or (origin.address.scope == "group" and not mentions_bot(activity)):
            return False
        return await self.follows(origin.key)

    async def _turn_away(self, activity: InboundActivity, origin: Origin) -> InvokeAnswer | None:
        """A guest, or somebody of no directory."""
        log.info("teams_guest_turned_away")
        words = say(self.telling.locale(origin), "teams.no_guests")
        if activity.type == "invoke":
            return noticed(words) if activity.name == "adaptiveCard/action" else InvokeAnswer(status=403)
        if activity.type == "message":
            await self.telling.answer(origin, words)
        return None

    async def _invoke(self, activity: InboundActivity, origin: Origin) -> InvokeAnswer | None:
        match activity.name:
            case "adaptiveCard/action":
                return await self.clicks.execute(activity, origin)
            case "fileConsent/invoke":
                return await self.consented.answer(activity, origin)
            case "message/submitAction":
                return await self.clicks.opinion(activity, origin)
            case _:
                log.info("teams_invoke_not_served", name=activity.name)
                return None

    async def _message(self, activity: InboundActivity, origin: Origin) -> None:
        if _is_click(activity):
            await self.clicks.submit(activity, origin)
            return
        hosts = self.config.endpoints.file_hosts
        turn = message_turn(activity, origin, self.config.tenant_id, hosts, self.clock.now())
        if turn.text or turn.files or mentions_bot(activity):
            said = await self.receive(turn)
            if said.notice:
                await self.telling.notify(turn, said)


def _is_click(activity: InboundActivity) -> bool:
    """A button of a client that knows no Execute arrives as a message without words."""
    return activity.type == "message" and activity.value is not None and not activity.text
