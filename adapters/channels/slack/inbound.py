"""Slack's messages as turns."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from adapters.channels.slack.fields import Record, flag, record, records, size, text
from adapters.channels.slack.installation import Installation
from adapters.channels.slack.markup import mentions, words_of
from adapters.channels.slack.people import SlackPerson
from adapters.channels.slack.thread_ids import SlackThread, slack_thread
from agent.values.identity import TenantId, ThreadKey
from agent.values.turn import Audience, CardAction, CardRef, InboundFile, Turn, TurnKind

MESSAGES: Final = frozenset({"app_mention", "message"})
_SPOKEN: Final = frozenset({"", "file_share", "thread_broadcast"})
"""Subtypes in which a person speaks; the others report edits, joins and what bots say."""

AudienceKind = Literal["dm", "group", "channel"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where something was said or pressed, and by whom. `user_team` is the person's own workspace, empty if untold."""

    event_id: str
    thread: SlackThread
    user: str
    user_team: str
    audience: Audience

    @property
    def key(self) -> ThreadKey:
        """The thread's key."""
        return slack_thread(self.thread)


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message of a person. `is_addressed` tells that it is for the bot wherever its thread belongs."""

    origin: Origin
    text: str
    files: tuple[Record, ...]
    is_addressed: bool


def read_message(body: Record, home: Installation) -> Message | None:
    """The message in an event's body; None for everything that no person said: bots, ourselves, edits, joins.

    A mention that arrives both as `app_mention` and as `message` is the same event twice.
    """
    event = record(body, "event")
    user, words = text(event, "user"), text(event, "text")
    if not _is_spoken(event) or user in ("", home.bot_user, "USLACKBOT"):
        return None
    mentioned = text(event, "type") == "app_mention" or mentions(words, home.bot_user)
    audience = Audience(kind=_audience(event), external=flag(body, "is_ext_shared_channel"))
    message = Message(
        origin=Origin(
            event_id=f"slack:{home.team}:{text(event, 'channel')}:{text(event, 'ts')}",
            thread=_thread(event, home),
            user=user,
            user_team=text(event, "user_team") or text(event, "team"),
            audience=audience,
        ),
        text=words_of(words, home.bot_user),
        files=tuple(records(event, "files")),
        is_addressed=mentioned or audience.kind == "dm",
    )
    return message if message.text or message.files or mentioned else None


def message_turn(
    message: Message, files: tuple[InboundFile, ...], author: SlackPerson, at: datetime, home: str
) -> Turn:
    """The message as a turn of the workspace `home`."""
    return turn_of(
        message.origin, author, at, home, kind="file" if files else "message", text=message.text, files=files
    )


def turn_of(
    origin: Origin,
    author: SlackPerson,
    at: datetime,
    home: str,
    *,
    kind: TurnKind,
    text: str = "",
    files: tuple[InboundFile, ...] = (),
    action: CardAction | None = None,
    pressed_on: str = "",
) -> Turn:
    """A turn from there. `pressed_on` is the `ts` of the card whose button was pressed."""
    return Turn(
        event_id=origin.event_id,
        channel="slack",
        tenant=TenantId(home),
        thread=origin.key,
        author=author.user,
        audience=_seen_by(origin.audience, author, home),
        kind=kind,
        received_at=at,
        text=text,
        files=files,
        action=action,
        card_ref=CardRef(thread=origin.key, message_id=pressed_on) if pressed_on else None,
        locale=author.locale,
        timezone=author.timezone,
    )


def inbound_file(told: Record, home: str) -> InboundFile:
    """A file as Slack describes it. Its `url` is fetched with the token of the bot in the workspace `home`."""
    return InboundFile(
        name=text(told, "name") or text(told, "id"),
        media_type=text(told, "mimetype"),
        size=size(told, "size"),
        url=text(told, "url_private_download") or text(told, "url_private"),
        id=text(told, "id"),
        tenant=home,
    )


def audience_of_channel(channel: str, name: str = "") -> AudienceKind:
    """The kind of a conversation that only its id and name tell."""
    if channel.startswith("D"):
        return "dm"
    return "group" if name.startswith("mpdm-") else "channel"


def _is_spoken(event: Record) -> bool:
    return (
        text(event, "type") in MESSAGES
        and text(event, "subtype") in _SPOKEN
        and not text(event, "bot_id")
        and not flag(event, "hidden")
    )


def _audience(event: Record) -> AudienceKind:
    match text(event, "channel_type"):
        case "im":
            return "dm"
        case "mpim":
            return "group"
        case _:
            return audience_of_channel(text(event, "channel"))


def _thread(event: Record, home: Installation) -> SlackThread:
    root = text(event, "thread_ts") or text(event, "ts")
    return SlackThread(team=home.team, channel=text(event, "channel"), root=root)


def _seen_by(audience: Audience, author: SlackPerson, home: str) -> Audience:
    """A person of another workspace is there only where the conversation is shared with theirs."""
    return Audience(kind=audience.kind, external=audience.external or author.user.tenant != home)
