"""The slash command: a question that has no thread yet."""

from dataclasses import dataclass

from slack_sdk.web.async_client import AsyncWebClient

from adapters.channels.slack.errors import asking_slack
from adapters.channels.slack.fields import Record, flag, text
from adapters.channels.slack.inbound import Origin, audience_of_channel
from adapters.channels.slack.installation import Installation
from adapters.channels.slack.markup import words_of
from adapters.channels.slack.thread_ids import SlackThread
from agent.values.turn import Audience
from agent.wording.texts import say
from cards.limits import SLACK
from cards.render.block_kit import escape
from semantic_catalog.model import Locale


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A typed command: `name` with its slash. The command's reply goes to `reply_url`, for the person alone."""

    name: str
    channel: str
    user: str
    user_team: str
    audience: Audience
    text: str
    reply_url: str


def read_command(body: Record, home: Installation) -> Command:
    """The command in a form-encoded body."""
    channel = text(body, "channel_id")
    return Command(
        name=text(body, "command"),
        channel=channel,
        user=text(body, "user_id"),
        user_team=text(body, "team_id"),
        audience=Audience(
            kind=audience_of_channel(channel, text(body, "channel_name")),
            external=flag(body, "is_ext_shared_channel"),
        ),
        text=words_of(text(body, "text"), home.bot_user),
        reply_url=text(body, "response_url"),
    )


async def open_thread(client: AsyncWebClient, command: Command, home: Installation, locale: Locale) -> Origin:
    """Post the question as the root of a thread. Raises `DeliveryUnavailable`; `DeliveryRefused` where we may not."""
    opening = say(locale, "slack.asked", user=f"<@{command.user}>", question=escape(command.text, SLACK.fallback - 200))
    with asking_slack("chat.postMessage"):
        posted = await client.chat_postMessage(
            channel=command.channel, text=opening, unfurl_links=False, unfurl_media=False
        )
    thread = SlackThread(team=home.team, channel=text(posted.data, "channel"), root=text(posted.data, "ts"))
    return Origin(
        event_id=f"slack:{thread.team}:{thread.channel}:{thread.root}",
        thread=thread,
        user=command.user,
        user_team=command.user_team,
        audience=command.audience,
    )
