"""The slash command: a question that has no thread yet, or words that tell the product to do something."""

from dataclasses import dataclass

from adapters.channels.slack.door import Door
from adapters.channels.slack.fields import Record, flag, text
from adapters.channels.slack.inbound import audience_of_channel
from adapters.channels.slack.installation import Installation
from adapters.channels.slack.markup import words_of
from adapters.channels.slack.threads import Asker, open_thread
from agent.values.turn import Audience
from agent.wording.texts import say


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A typed command: `name` with its slash. The command's reply goes to `reply_url`, for the person alone."""

    name: str
    asker: Asker
    text: str
    reply_url: str


def read_command(body: Record, home: Installation) -> Command:
    """The command in a form-encoded body."""
    channel = text(body, "channel_id")
    asker = Asker(
        user=text(body, "user_id"),
        team=text(body, "team_id"),
        channel=channel,
        audience=Audience(
            kind=audience_of_channel(channel, text(body, "channel_name")),
            external=flag(body, "is_ext_shared_channel"),
        ),
    )
    return Command(
        name=text(body, "command"),
        asker=asker,
        text=words_of(text(body, "text"), home.bot_user),
        reply_url=text(body, "response_url"),
    )


async def take_command(command: Command, door: Door) -> str:
    """Take the command in; what to tell its author at once, or nothing.

    A question opens a thread where it was typed. What is no question is answered in our direct conversation.
    Raises `StoreUnavailable`, `DeliveryUnavailable`; `DeliveryRefused` where we may not write.
    """
    home, asker = await door.home(), command.asker
    author = await door.people.person(asker.user, asker.team, home)
    locale = author.locale or door.default_locale
    if not command.text:
        return say(locale, "slack.command_empty", command=command.name)
    alone = door.surfaces.is_command(command.text)
    where = Asker(user=asker.user, team=asker.team) if alone else asker
    origin = await open_thread(door.clients.posting, where, command.text, home, locale)
    await door.ask(origin, command.text, command=True)
    return say(locale, "slack.command_alone") if alone and origin.thread.channel != asker.channel else ""
