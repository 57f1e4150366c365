"""One inbound thing, already normalised by a channel adapter."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from agent.values.feedback import QuickEdit
from agent.values.identity import ChannelName, ExternalUser, RunId, TenantId, ThreadKey
from semantic_catalog.model import Locale

TurnKind = Literal["message", "command", "decision", "choice", "file", "feedback", "cancel"]
ActionVerb = Literal[
    "approve",
    "approve_always",
    "reject",
    "change",
    "choose",
    "cancel",
    "ask",
    "show_sql",
    "chart_type",
    "drill_down",
    "explain",
    "export",
    "thumbs_up",
    "thumbs_down",
    "request_access",
    "retry",
    "command",
    "file_confirm",
    "file_change",
    "file_delete",
    "share",
    "schedule",
    "schedule_approve",
    "schedule_reject",
    "run_schedule",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Audience:
    """Who can read the thread. `external` is true for Slack Connect, guests and anonymous members."""

    kind: Literal["dm", "group", "channel"]
    external: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRef:
    """A posted message, as the channel knows it: `message_id` is Slack's ts or Teams' activity id."""

    thread: ThreadKey
    message_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a card goes: the thread, and the channel's own delivery address of the newest turn there."""

    thread: ThreadKey
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenConversation:
    """A conversation as it was last heard from: the channel's own `address`, and whose it is where one person's."""

    channel: ChannelName
    tenant: TenantId
    conversation: str
    address: str
    person: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardAction:
    """What a pressed button carries. `fingerprint` binds an approval to what was shown; `text` was typed with it.

    `value` is the verb's argument: an option's value, a question to ask, a chart kind. `quick` is a change chosen in a
    form, which no button carries.
    """

    verb: ActionVerb
    run: RunId | None = None
    fingerprint: str = ""
    value: str = ""
    text: str = ""
    quick: QuickEdit | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class InboundFile:
    """A file given in the thread, not yet fetched. `url` or `id` is what the channel's own download needs.

    `content` is the text of a table that was pasted into the message: nothing has to be fetched. `tenant` is whose bot
    may fetch it, where a channel serves several.
    """

    name: str
    media_type: str
    size: int
    url: str
    id: str = ""
    content: str = ""
    tenant: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message, click, command or file. `event_id` is unique per platform event; `received_at` is aware (UTC).

    `address` is the channel's own delivery address (JSON text that only that channel reads). `action` is set for
    decisions, choices, feedback and cancels; `card_ref` is the card it was pressed on. `timezone` is the
    author's own, as the platform knows it (IANA name; empty: not known). `trace` is the W3C trace parent
    under which its handling is traced, where it is.
    """

    event_id: str
    channel: ChannelName
    tenant: TenantId
    thread: ThreadKey
    author: ExternalUser
    audience: Audience
    kind: TurnKind
    received_at: datetime
    text: str = ""
    files: tuple[InboundFile, ...] = ()
    action: CardAction | None = None
    card_ref: CardRef | None = None
    locale: Locale | None = None
    address: str = ""
    timezone: str = ""
    trace: str = ""
