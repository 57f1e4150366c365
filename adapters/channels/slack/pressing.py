"""Pressed buttons, chosen options and sent dialogs."""

from dataclasses import dataclass, replace

import structlog
from slack_bolt.response import BoltResponse

from adapters.channels.slack.answers import answer, form_error
from adapters.channels.slack.door import Door
from adapters.channels.slack.fields import Record, text
from adapters.channels.slack.interactions import Click, Submission, read_click, read_home_click, read_submission
from adapters.channels.slack.threads import Asker, open_thread
from agent.errors import StoreUnavailable
from agent.values.turn import CardAction
from agent.wording.texts import say
from cards.actions import MalformedAction, decode_action
from cards.build.notices import malformed_notice
from cards.errors import DeliveryRefused, DeliveryUnavailable
from cards.forms import SQL, WORDS, ContradictoryForm, filled
from cards.render.block_kit_buttons import locale_of

AT_ONCE_TOO = frozenset({"thumbs_down"})
"""Buttons that count when they are pressed, whatever their dialog adds."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pressing:
    """Turns clicks into turns; a button that asks for more opens its dialog first."""

    door: Door

    async def click(self, body: Record) -> BoltResponse:
        """Answer one `block_actions` payload. Raises `StoreUnavailable`, `DeliveryUnavailable`."""
        home = await self.door.home()
        click = read_click(body, home)
        if click is None:
            pressed = read_home_click(body)
            if pressed is not None:
                self.door.background.start(self._from_home(body))
            return answer()
        return await self._clicked(click)

    async def submission(self, body: Record) -> BoltResponse:
        """Answer one dialog of a button."""
        sent = read_submission(body, await self.door.home())
        if sent is None:
            return answer()
        locale = locale_of(sent.action_id)
        try:
            await self.door.press(sent.origin, _filled(sent), sent.message)
        except MalformedAction:
            self.door.tell(sent.origin, malformed_notice(locale))
        except ContradictoryForm as error:
            return form_error(error.field, say(locale, "dialog.one_thing"))
        except (StoreUnavailable, DeliveryUnavailable) as error:
            log.warning("slack_dialog_not_stored", code=error.code)
            return form_error(sent.first_field or WORDS, say(locale, "slack.not_kept"))
        return answer()

    async def _clicked(self, click: Click) -> BoltResponse:
        locale = locale_of(click.action_id)
        try:
            action = decode_action(click.encoded)
        except MalformedAction:
            self.door.tell(click.origin, malformed_notice(locale))
            return answer()
        form = await self.door.surfaces.form(action, locale)
        if form is not None:
            self.door.background.start(self.door.replies.ask(click, form, locale))
        if form is None or action.verb in AT_ONCE_TOO:
            await self.door.press(click.origin, action, click.message)
        return answer()

    async def _from_home(self, body: Record) -> None:
        """A button of the Home tab: what follows stands in our direct conversation."""
        home, pressed = await self.door.home(), read_home_click(body)
        if pressed is None:
            return
        asker = Asker(user=pressed.user, team=text(body, "user", "team_id"))
        try:
            words = pressed.label
            action = decode_action(pressed.encoded)
            if action.verb == "ask" and action.value:
                words = action.value
            locale = locale_of(pressed.action_id)
            origin = await open_thread(self.door.clients.posting, asker, words, home, locale)
            click = Click(
                origin=replace(origin, event_id=f"{origin.event_id}:{pressed.moment}"),
                encoded=pressed.encoded,
                action_id=pressed.action_id,
                message=origin.thread.root,
                trigger=pressed.trigger,
            )
            await self._clicked(click)
        except MalformedAction:
            log.info("slack_home_button_unknown")
        except (StoreUnavailable, DeliveryUnavailable, DeliveryRefused) as error:
            log.warning("slack_home_button_lost", code=error.code, detail=error.detail)


def _filled(sent: Submission) -> CardAction:
    return filled(decode_action(sent.encoded), sent.values, sent.offered.get(SQL, ""))
