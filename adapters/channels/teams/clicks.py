"""Pressed buttons, views of one person, and opinions of messages."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

import structlog
from pydantic import ValidationError

from adapters.channels.teams.activities import ExecuteValue, InboundActivity, SubmittedValue
from adapters.channels.teams.adapter import InvokeAnswer
from adapters.channels.teams.answers import acknowledged, carded, not_known, not_read, noticed
from adapters.channels.teams.inbound import Origin, author_of, click_turn
from adapters.channels.teams.surfaces import Surfaces
from adapters.channels.teams.telling import Telling
from agent.ports import Clock
from agent.values.turn import ActionVerb, CardAction, CardRef, Turn
from agent.wording.texts import say
from cards.actions import MalformedAction
from cards.build.notices import malformed_notice
from cards.build.phrases import notice
from cards.elements import Acknowledgement, Actions
from cards.forms import ContradictoryForm
from cards.render.adaptive_buttons import pressed_action
from cards.render.adaptive_refresh import REFRESH, refreshed_action

Receive = Callable[[Turn], Awaitable[Acknowledgement]]

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Clicks:
    """Turns clicks into turns, and answers them at once. `home` is the bot's own tenant."""

    telling: Telling
    surfaces: Surfaces
    receive: Receive
    clock: Clock
    home: str

    async def execute(self, activity: InboundActivity, origin: Origin) -> InvokeAnswer:
        """Answer an `adaptiveCard/action`: the card as it now stands for this person, or private words."""
        try:
            told = ExecuteValue.model_validate(activity.value)
        except ValidationError:
            return not_read()
        if told.action.type != "Action.Execute":
            return not_read()
        if told.trigger == "automatic" or told.action.verb == REFRESH:
            return await self._view(activity, told.action.data)
        try:
            action = pressed_action(told.action.data)
        except MalformedAction:
            return noticed(malformed_notice(self.telling.locale(origin)))
        except ContradictoryForm:
            return noticed(say(self.telling.locale(origin), "dialog.one_thing"))
        said = await self.receive(self._turn(activity, origin, action))
        if said.offers:
            return await self._offered(activity, origin, action, said)
        if said.card is not None:
            return carded(await self.telling.channel.drawing.for_one(said.card))
        return acknowledged(said, self.telling.locale(origin))

    async def submit(self, activity: InboundActivity, origin: Origin) -> None:
        """A button of a client that knows no Execute: nobody waits for an answer, so a notice is posted."""
        locale = self.telling.locale(origin)
        try:
            action = pressed_action(activity.value)
        except MalformedAction:
            await self.telling.answer(origin, malformed_notice(locale))
            return
        except ContradictoryForm:
            await self.telling.answer(origin, say(locale, "dialog.one_thing"))
            return
        turn = self._turn(activity, origin, action)
        said = await self.receive(turn)
        if said.notice:
            await self.telling.notify(turn, said)

    async def opinion(self, activity: InboundActivity, origin: Origin) -> InvokeAnswer:
        """Answer a `message/submitAction`: Teams' thumbs count as those of the card."""
        try:
            told = SubmittedValue.model_validate(activity.value)
        except ValidationError:
            return InvokeAnswer(status=400)
        message = CardRef(thread=origin.key, message_id=activity.reply_to_id)
        run = await self.surfaces.run_of(message) if told.action_name == "feedback" else None
        if run is not None:
            verb: ActionVerb = "thumbs_up" if told.action_value.reaction == "like" else "thumbs_down"
            action = CardAction(verb=verb, run=run, text=told.action_value.words)
            await self.receive(self._turn(activity, origin, action))
        return InvokeAnswer(body={})

    async def _view(self, activity: InboundActivity, data: object) -> InvokeAnswer:
        """A card that redraws itself decides nothing."""
        try:
            shown = refreshed_action(data)
        except MalformedAction:
            return not_read()
        view = await self.surfaces.view(shown, author_of(activity))
        return not_known() if view is None else carded(await self.telling.channel.drawing.for_one(view))

    async def _offered(
        self, activity: InboundActivity, origin: Origin, action: CardAction, said: Acknowledgement
    ) -> InvokeAnswer:
        """Why the click did nothing, above the card, with what its author may do instead."""
        view = await self.surfaces.view(action, author_of(activity))
        if view is None:
            return acknowledged(replace(said, offers=()), self.telling.locale(origin))
        offered = {button.action for row in view.elements if isinstance(row, Actions) for button in row.buttons}
        offers = tuple(button for button in said.offers if button.action not in offered)
        row = (Actions(buttons=offers),) if offers else ()
        card = replace(view, elements=(notice("warning", said.notice), *view.elements, *row))
        return carded(await self.telling.channel.drawing.for_one(card))

    def _turn(self, activity: InboundActivity, origin: Origin, action: CardAction) -> Turn:
        return click_turn(activity, origin, self.home, action, self.clock.now())
