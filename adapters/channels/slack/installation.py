"""The workspace this bot lives in, asked of Slack once."""

import asyncio
from dataclasses import dataclass
from typing import Final, Protocol

from slack_bolt.authorization import AuthorizeResult
from slack_sdk.web.async_client import AsyncWebClient

from adapters.channels.slack.errors import asking_slack
from adapters.channels.slack.fields import text

_PATIENCE_SECONDS: Final = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """Whose bot this is. `enterprise` is empty outside Enterprise Grid."""

    team: str
    enterprise: str
    bot_id: str
    bot_user: str


class Bot(Protocol):
    """A bot that knows where it lives."""

    async def installation(self) -> Installation:
        """The installation. Raises `DeliveryUnavailable`, `DeliveryRefused`."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownBot:
    """A bot whose installation was told."""

    home: Installation

    async def installation(self) -> Installation:
        """The installation."""
        return self.home


class InstalledBot:
    """Knows the installation of one bot token."""

    def __init__(self, client: AsyncWebClient) -> None:
        self._client = client
        self._known: Installation | None = None

    async def installation(self) -> Installation:
        """The installation. Raises `DeliveryUnavailable`, or `DeliveryRefused` for a token that Slack does not take."""
        if self._known is None:
            with asking_slack("auth.test"):
                async with asyncio.timeout(_PATIENCE_SECONDS):
                    said = (await self._client.auth_test()).data
            self._known = Installation(
                team=text(said, "team_id"),
                enterprise=text(said, "enterprise_id"),
                bot_id=text(said, "bot_id"),
                bot_user=text(said, "user_id"),
            )
        return self._known

    async def authorized(self) -> AuthorizeResult:
        """The same for Bolt. An outage is raised, so that Slack delivers again; Bolt's own way would answer 200."""
        known = await self.installation()
        return AuthorizeResult(
            enterprise_id=known.enterprise or None,
            team_id=known.team,
            bot_id=known.bot_id,
            bot_user_id=known.bot_user,
            bot_token=self._client.token,
        )
