"""Activities as Teams sends them: only what we read. Our own models, because the SDK's drop keys."""

import json
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel


class Wire(BaseModel):
    """A JSON object of Teams; null is the same as left out, unknown keys do not matter."""

    model_config = ConfigDict(alias_generator=to_camel, extra="ignore", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, data: Any) -> Any:
        return {name: held for name, held in data.items() if held is not None} if isinstance(data, dict) else data


class Account(Wire):
    """A person or a bot. `id` differs per bot; `aad_object_id` identifies, and anonymous guests have none."""

    id: str = ""
    name: str = ""
    aad_object_id: str = ""


class Conversation(Wire):
    """Where it happened. In a channel `id` ends with `;messageid=<root message>`."""

    id: str = ""
    conversation_type: str = ""
    tenant_id: str = ""


class Named(Wire):
    """A tenant or a channel. `type` tells a shared channel."""

    id: str = ""
    type: str = ""


class Team(Wire):
    """A team. Not every activity tells the Microsoft 365 group behind it."""

    id: str = ""
    aad_group_id: str = ""


class ChannelData(Wire):
    """What Teams alone adds. `event_type` says what became of a message."""

    tenant: Named = Named()
    channel: Named = Named()
    team: Team = Team()
    event_type: str = ""


class Entity(Wire):
    """Something the text names, or the sender's client (`timezone`).

    A mention has `text`, as it stands in the message, and `mentioned`.
    """

    type: str = ""
    text: str = ""
    mentioned: Account = Account()
    timezone: str = ""


class Attached(Wire):
    """A file, or the message once more as HTML."""

    content_type: str = ""
    name: str = ""
    content: Any = None


class InboundActivity(Wire):
    """One request of Teams. `is_outsider` is what the roster says of its sender: a guest."""

    type: str = Field(min_length=1)
    id: str = ""
    name: str = ""
    channel_id: str = ""
    service_url: str = ""
    sender: Account = Field(Account(), alias="from")
    recipient: Account = Account()
    conversation: Conversation = Conversation()
    text: str = ""
    locale: str = ""
    local_timezone: str = ""
    value: Any = None
    reply_to_id: str = ""
    entities: tuple[Entity, ...] = ()
    attachments: tuple[Attached, ...] = ()
    channel_data: ChannelData = ChannelData()
    is_outsider: bool = False

    @property
    def timezone(self) -> str:
        """The sender's own zone as Teams names it; empty when it does not say."""
        return self.local_timezone or next((held.timezone for held in self.entities if held.timezone), "")

    @property
    def tenant(self) -> str:
        """The tenant it comes from; empty when Teams does not say."""
        return self.channel_data.tenant.id or self.conversation.tenant_id


class Pressed(Wire):
    """The button of an Action.Execute."""

    type: str = ""
    verb: str = ""
    data: Any = None


class ExecuteValue(Wire):
    """The value of an `adaptiveCard/action`. A card that refreshes by itself has the trigger `automatic`."""

    action: Pressed
    trigger: str = ""


class OpinionValue(Wire):
    """What somebody thinks of a message: `reaction` is like or dislike, `feedback` a JSON text with their words."""

    reaction: str = ""
    feedback: str = ""

    @property
    def words(self) -> str:
        """What they wrote; empty where they wrote nothing."""
        try:
            told = json.loads(self.feedback or "{}")
        except (ValueError, RecursionError):
            return ""
        words = told.get("feedbackText") if isinstance(told, dict) else None
        return words.strip() if isinstance(words, str) else ""


class SubmittedValue(Wire):
    """The value of a `message/submitAction`."""

    action_name: str = ""
    action_value: OpinionValue = OpinionValue()


class UploadInfo(Wire):
    """Where an accepted file goes: `upload_url` takes the bytes, `content_url` opens it afterwards."""

    content_url: str
    upload_url: str
    unique_id: str
    name: str = ""
    file_type: str = ""


class ConsentValue(Wire):
    """The value of a `fileConsent/invoke`."""

    action: str
    context: Any = None
    upload_info: UploadInfo | None = None


class DownloadInfo(Wire):
    """The content of a file that a person sent to the bot."""

    download_url: str
    file_type: str = ""
