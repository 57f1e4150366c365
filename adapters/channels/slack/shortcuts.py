"""Shortcuts: 'Ask about this' on a message, and a question from anywhere."""

import json
from dataclasses import dataclass
from typing import Final

import structlog
from slack_bolt.response import BoltResponse

from adapters.channels.slack.answers import answer, form_error
from adapters.channels.slack.door import Door
from adapters.channels.slack.fields import Record, record, text
from adapters.channels.slack.inbound import Origin, audience_of_channel
from adapters.channels.slack.installation import Installation
from adapters.channels.slack.markup import words_of
from adapters.channels.slack.modal import ASKED, entered, form_view
from adapters.channels.slack.thread_ids import SlackThread, slack_thread
from adapters.channels.slack.threads import Asker, open_thread
from agent.errors import StoreUnavailable
from agent.values.turn import Audience
from agent.wording.texts import say
from cards.errors import DeliveryRefused, DeliveryUnavailable
from cards.forms import WORDS, Form, FormField
from semantic_catalog.model import LOCALES, Locale

ABOUT_MESSAGE: Final = "message_action"
FROM_ANYWHERE: Final = "shortcut"

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortcuts:
    """Opens the question's dialog and takes the question in."""

    door: Door

    async def open(self, body: Record) -> BoltResponse:
        """Answer a shortcut: its dialog opens while its trigger lives."""
        home = await self.door.home()
        self.door.background.start(self._show(body, home))
        return answer()

    async def submission(self, body: Record) -> BoltResponse:
        """Answer the question's dialog. In a thread it is asked there, else in our direct conversation."""
        view = record(body, "view")
        carried, question = _carried(view), entered(view).get(WORDS, "")
        locale = next((held for held in LOCALES if held == text(carried, "locale")), self.door.default_locale)
        if not question:
            return form_error(WORDS, say(locale, "dialog.ask_placeholder"))
        try:
            origin = await self._origin(body, carried, question, locale)
            await self.door.ask(origin, question)
        except (StoreUnavailable, DeliveryUnavailable) as error:
            log.warning("slack_dialog_not_stored", code=error.code, detail=error.detail)
            return form_error(WORDS, say(locale, "slack.not_kept"))
        except DeliveryRefused as error:
            log.info("slack_question_refused", detail=error.detail)
            return form_error(WORDS, say(locale, "slack.command_refused"))
        return answer()

    async def _show(self, body: Record, home: Installation) -> None:
        user, team = text(body, "user", "id"), text(body, "user", "team_id") or text(body, "team", "id")
        person = await self.door.people.person(user, team, home)
        locale = person.locale or self.door.default_locale
        about = words_of(text(body, "message", "text"), home.bot_user)
        view = form_view(_form(about, locale), locale, _metadata(body, locale), ASKED)
        await self.door.replies.open_view(text(body, "trigger_id"), view)

    async def _origin(self, body: Record, carried: Record, question: str, locale: Locale) -> Origin:
        home, user, team = await self.door.home(), text(body, "user", "id"), text(body, "user", "team_id")
        channel, root = text(carried, "channel"), text(carried, "root")
        if not (channel and root):
            return await open_thread(self.door.clients.once, Asker(user=user, team=team), question, home, locale)
        thread = SlackThread(team=home.team, channel=channel, root=root)
        slack_thread(thread)
        return Origin(
            event_id=f"slack:{home.team}:view:{text(body, 'view', 'id')}",
            thread=thread,
            user=user,
            user_team=team,
            audience=Audience(kind=audience_of_channel(channel, text(carried, "name"))),
        )


def _form(about: str, locale: Locale) -> Form:
    field = FormField(
        key=WORDS,
        label=say(locale, "dialog.ask_label"),
        placeholder=say(locale, "dialog.ask_placeholder"),
        initial=about,
        required=True,
    )
    return Form(title=say(locale, "dialog.ask_title"), submit=say(locale, "dialog.ask_submit"), fields=(field,))


def _metadata(body: Record, locale: Locale) -> str:
    message = record(body, "message")
    where = {
        "channel": text(body, "channel", "id"),
        "name": text(body, "channel", "name")[:80],
        "root": text(message, "thread_ts") or text(message, "ts"),
        "locale": locale,
    }
    return json.dumps(where, separators=(",", ":"))


def _carried(view: Record) -> Record:
    try:
        return record(json.loads(text(view, "private_metadata")))
    except ValueError:
        return {}
