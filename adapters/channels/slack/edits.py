"""Messages edited after they were asked: nothing is asked again by itself."""

from dataclasses import dataclass

from adapters.channels.slack.door import Door
from adapters.channels.slack.fields import Record, record, text
from adapters.channels.slack.inbound import Message, read_message
from adapters.channels.slack.installation import Installation
from agent.values.turn import CardAction
from agent.wording.texts import say
from cards.elements import Button

CHANGED = "message_changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Edits:
    """Offers the author of an edited question to ask again as it reads now."""

    door: Door

    async def changed(self, body: Record) -> None:
        """Answer one `message_changed` event. Raises `StoreUnavailable`, `DeliveryUnavailable`."""
        message = edited_message(body, await self.door.home())
        if message is None or not await self.door.follows(message.origin.key):
            return
        person = await self.door.author(message.origin)
        locale = person.locale or self.door.default_locale
        again = Button(label=say(locale, "dialog.ask_again"), action=CardAction(verb="ask", value=message.text))
        origin, words = message.origin, say(locale, "dialog.edited")
        self.door.background.start(self.door.replies.tell(origin.thread, origin.user, words, (again,), locale))


def edited_message(body: Record, home: Installation) -> Message | None:
    """The message as it reads now; None where its words are the same, or where no person wrote it."""
    event = record(body, "event")
    now, before = record(event, "message"), record(event, "previous_message")
    if not text(now, "text") or text(now, "text") == text(before, "text"):
        return None
    told = {
        **now,
        "type": "message",
        "channel": text(event, "channel"),
        "channel_type": text(event, "channel_type"),
    }
    return read_message({**body, "event": told}, home)
