"""The scopes that the bot's token needs, and what for."""

from typing import Final

USER_GROUPS: Final = "usergroups:read"
"""Needed only where the policy names user groups."""

BOT_SCOPES: Final = (
    "app_mentions:read",
    "assistant:write",
    "channels:history",
    "channels:read",
    "chat:write",
    "commands",
    "files:read",
    "files:write",
    "groups:history",
    "groups:read",
    "im:history",
    "im:write",
    "mpim:history",
    "mpim:read",
    USER_GROUPS,
    "users:read",
    "users:read.email",
)
