"""Teams' activities as turns."""

import mimetypes
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, get_args

from pydantic import ValidationError
from yarl import URL

from adapters.channels.teams.activities import Attached, DownloadInfo, InboundActivity
from adapters.channels.teams.addresses import Scope, TeamsAddress, write_address
from adapters.channels.teams.mentions import words_of
from adapters.channels.teams.pasted import MEDIA_TYPE, PastedTable, pasted_table
from adapters.channels.teams.thread_ids import TeamsThread, split_conversation, teams_thread
from adapters.zones import known_zone
from agent.values.identity import ExternalUser, TenantId, ThreadKey, UserId
from agent.values.turn import Audience, CardAction, CardRef, InboundFile, Turn, TurnKind
from cards.actions import turn_kind
from semantic_catalog.model import Locale

_SCOPES: Final[dict[str, Scope]] = {"personal": "dm", "groupChat": "group", "channel": "channel"}
_LOCALES: Final = {str(locale): locale for locale in get_args(Locale)}
_DOWNLOAD: Final = "application/vnd.microsoft.teams.file.download.info"
_PASTED: Final = "table.csv"
_UNKNOWN_TYPE: Final = "application/octet-stream"


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where an activity comes from: the conversation it belongs to, and how to answer there."""

    thread: TeamsThread
    address: TeamsAddress

    @property
    def key(self) -> ThreadKey:
        """The thread's key."""
        return teams_thread(self.thread)


def origin_of(activity: InboundActivity) -> Origin:
    """Where the activity comes from. Raises `NotATeamsThread` when it names no tenant or conversation.

    A channel message that names no root is a root itself; a click without one was on the root.
    """
    conversation, root = split_conversation(activity.conversation.id)
    scope = _SCOPES.get(activity.conversation.conversation_type, "group")
    if scope == "channel":
        root = root or activity.reply_to_id or activity.id
    thread = TeamsThread(tenant=activity.tenant, conversation=conversation, root=root)
    return Origin(
        thread=thread,
        address=TeamsAddress(
            service_url=activity.service_url,
            conversation_id=thread.conversation_id,
            scope=scope,
            bot_id=activity.recipient.id,
            bot_name=activity.recipient.name,
            locale=locale_of(activity),
            is_answered=activity.type == "invoke",
            team=activity.channel_data.team.id,
            group=activity.channel_data.team.aad_group_id,
        ),
    )


def message_turn(activity: InboundActivity, origin: Origin, home: str, hosts: tuple[str, ...], at: datetime) -> Turn:
    """A written message. Files are taken from `hosts` only."""
    pasted = _pasted(activity)
    table = (
        InboundFile(name=_PASTED, media_type=MEDIA_TYPE, size=len(pasted.csv), url="", content=pasted.csv)
        if pasted
        else None
    )
    files = (*([table] if table else ()), *_pictures(activity.attachments))
    files += tuple(_files(activity.attachments, hosts)) if origin.address.scope == "dm" else ()
    text = pasted.around if pasted else words_of(activity)
    return _turn(activity, origin, home, at, kind="file" if files else "message", text=text, files=files)


def click_turn(activity: InboundActivity, origin: Origin, home: str, action: CardAction, at: datetime) -> Turn:
    """A pressed button: a decision, a choice, a cancel or feedback."""
    is_quiet = origin.address.scope != "dm" and action.verb in ("thumbs_up", "thumbs_down")
    told = replace(origin, address=replace(origin.address, is_quiet=is_quiet))
    return _turn(activity, told, home, at, kind=turn_kind(action), action=action)


def locale_of(activity: InboundActivity) -> Locale | None:
    """The language of the person's Teams; None for one that we do not speak."""
    return _LOCALES.get(activity.locale.partition("-")[0].lower())


def is_of(url: str, hosts: tuple[str, ...]) -> bool:
    """Whether the address is https below one of the hosts (`.sharepoint.com`).

    A host with a port (`127.0.0.1:8080`) is a stand-in on this machine: that very one, with any scheme.
    """
    try:
        # The parser of the client that will go there, so that both see the same host.
        parts = URL(url)
        host, place = parts.host or "", f"{parts.host}:{parts.port}"
    except ValueError:
        return False
    return any(
        place == allowed if ":" in allowed else parts.scheme == "https" and host.endswith(allowed) for allowed in hosts
    )


def _turn(
    activity: InboundActivity,
    origin: Origin,
    home: str,
    at: datetime,
    *,
    kind: TurnKind,
    text: str = "",
    files: tuple[InboundFile, ...] = (),
    action: CardAction | None = None,
) -> Turn:
    clicked = activity.reply_to_id if action else ""
    return Turn(
        event_id=f"teams:{activity.conversation.id}:{activity.id}",
        channel="teams",
        tenant=TenantId(activity.tenant),
        thread=origin.key,
        author=author_of(activity),
        audience=Audience(kind=origin.address.scope, external=_is_external(activity, home)),
        kind=kind,
        received_at=at,
        text=text,
        files=files,
        action=action,
        card_ref=CardRef(thread=origin.key, message_id=clicked) if clicked else None,
        locale=origin.address.locale,
        address=write_address(origin.address),
        timezone=known_zone(activity.timezone),
    )


def author_of(activity: InboundActivity) -> ExternalUser:
    """The person by object id. Anonymous guests have none, and no policy knows an empty one."""
    sender = activity.sender
    return ExternalUser(
        channel="teams",
        tenant=TenantId(activity.tenant),
        user_id=UserId(sender.aad_object_id),
        display_name=sender.name,
    )


def _is_external(activity: InboundActivity, home: str) -> bool:
    is_foreign = bool(home) and activity.tenant.lower() != home.lower()
    is_outside = activity.is_outsider or not activity.sender.aad_object_id
    return is_outside or is_foreign or activity.channel_data.channel.type == "shared"


def _pasted(activity: InboundActivity) -> PastedTable | None:
    """The table that was pasted into the message: Teams sends the message once more as HTML."""
    written = (attached.content for attached in activity.attachments if attached.content_type == "text/html")
    return next((table for html in written if isinstance(html, str) and (table := pasted_table(html))), None)


def _pictures(attachments: tuple[Attached, ...]) -> Iterator[InboundFile]:
    """Pasted pictures: no table is read from one, and their giver is told so."""
    for attached in attachments:
        if attached.content_type.startswith("image/"):
            name = attached.name or attached.content_type.partition("/")[2]
            yield InboundFile(name=name, media_type=attached.content_type, size=0, url="")


def _files(attachments: tuple[Attached, ...], hosts: tuple[str, ...]) -> Iterator[InboundFile]:
    for attached in attachments:
        if attached.content_type != _DOWNLOAD:
            continue
        try:
            told = DownloadInfo.model_validate(attached.content)
        except ValidationError:
            continue
        if is_of(told.download_url, hosts):
            media_type, _ = mimetypes.guess_type(f"file.{told.file_type}")
            # Teams does not tell the size.
            yield InboundFile(name=attached.name, media_type=media_type or _UNKNOWN_TYPE, size=0, url=told.download_url)
