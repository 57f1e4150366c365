"""Threads that the bot opens: for questions that come without one."""

from dataclasses import dataclass

from slack_sdk.web.async_client import AsyncWebClient

from adapters.channels.slack.errors import asking_slack
from adapters.channels.slack.fields import text
from adapters.channels.slack.inbound import Origin
from adapters.channels.slack.installation import Installation
from adapters.channels.slack.thread_ids import SlackThread
from agent.values.turn import Audience
from agent.wording.texts import say
from cards.limits import SLACK
from cards.render.block_kit import escape
from semantic_catalog.model import Locale

_ROOM_FOR_NAMES = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """Who opens a thread, as Slack named them, and where: `channel` is empty for the two of us alone."""

    user: str
    team: str
    channel: str = ""
    audience: Audience = Audience(kind="dm")  # noqa: RUF009  # a frozen value


async def open_thread(client: AsyncWebClient, asker: Asker, words: str, home: Installation, locale: Locale) -> Origin:
    """Post the words as the root of a thread. Raises `DeliveryUnavailable`; `DeliveryRefused` where we may not."""
    channel = asker.channel or await direct_channel(client, asker.user)
    opening = say(
        locale, "slack.asked", user=f"<@{asker.user}>", question=escape(words, SLACK.fallback - _ROOM_FOR_NAMES)
    )
    with asking_slack("chat.postMessage"):
        posted = await client.chat_postMessage(channel=channel, text=opening, unfurl_links=False, unfurl_media=False)
    thread = SlackThread(team=home.team, channel=text(posted.data, "channel"), root=text(posted.data, "ts"))
    return Origin(
        event_id=f"slack:{thread.team}:{thread.channel}:{thread.root}",
        thread=thread,
        user=asker.user,
        user_team=asker.team,
        audience=asker.audience if asker.channel else Audience(kind="dm"),
    )


async def direct_channel(client: AsyncWebClient, user: str) -> str:
    """The direct conversation with the user. Raises `DeliveryUnavailable`, `DeliveryRefused`."""
    with asking_slack("conversations.open"):
        return text((await client.conversations_open(users=user)).data, "channel", "id")
