"""The bot's own access token, fetched without blocking the loop and used by every send."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final

import aiohttp
from botframework.connector.auth.managedidentity_app_credentials import ManagedIdentityAppCredentials

from adapters.channels.teams.config import TeamsConfig
from cards.errors import DeliveryUnavailable

_SPARE_SECONDS: Final = 300.0
_OK: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class IssuedToken:
    """A token and the seconds it is good for."""

    text: str = field(repr=False)
    seconds: float


Issue = Callable[[], Awaitable[IssuedToken]]


class BotToken:
    """Keeps the token until five minutes before its end; one request at a time. `seconds` is a monotonic clock."""

    def __init__(self, issue: Issue, seconds: Callable[[], float] = time.monotonic) -> None:
        self._issue = issue
        self._seconds = seconds
        self._held = ""
        self._good_until = 0.0
        self._lock = asyncio.Lock()

    async def current(self) -> str:
        """A valid token. Raises `DeliveryUnavailable`."""
        async with self._lock:
            if not self._held or self._seconds() >= self._good_until:
                issued = await self._issue()
                self._held = issued.text
                self._good_until = self._seconds() + max(issued.seconds - _SPARE_SECONDS, 0)
            return self._held

    def forget(self) -> None:
        """Fetch a new token next time: this one was refused."""
        self._held = ""


def issuer_of(config: TeamsConfig) -> Issue:
    """How this bot gets its token: none without an app id, a managed identity, or its client secret."""
    return _issuer(config, config.endpoints.scope, config.token_tenant)


def graph_issuer_of(config: TeamsConfig, tenant: str) -> Issue:
    """How this bot gets a token for Microsoft Graph in that tenant."""
    return _issuer(config, config.endpoints.graph_scope, tenant)


def _issuer(config: TeamsConfig, scope: str, tenant: str) -> Issue:
    if config.is_open:
        return _no_token
    if config.app_type == "UserAssignedMSI":
        return lambda: _managed_identity_token(config.app_id, scope)
    return lambda: _client_secret_token(config, scope, tenant)


async def _no_token() -> IssuedToken:
    return IssuedToken(text="", seconds=0)


async def _client_secret_token(config: TeamsConfig, scope: str, tenant: str) -> IssuedToken:
    form = {
        "grant_type": "client_credentials",
        "client_id": config.app_id,
        "client_secret": config.app_password,
        "scope": f"{scope}/.default",
    }
    url = config.endpoints.token_url.format(tenant=tenant)
    try:
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=config.patience.request)) as session,
            session.post(url, data=form, allow_redirects=False) as response,
        ):
            if response.status != _OK:
                raise DeliveryUnavailable(f"token: {response.status}")
            return _issued(await response.json(content_type=None))
    except (aiohttp.ClientError, TimeoutError, ValueError) as error:
        raise DeliveryUnavailable(f"token: {type(error).__name__}") from None


def _issued(body: Any) -> IssuedToken:
    try:
        return IssuedToken(text=str(body["access_token"]), seconds=float(body["expires_in"]))
    except (KeyError, TypeError, ValueError):
        raise DeliveryUnavailable("token: the answer holds none") from None


async def _managed_identity_token(app_id: str, scope: str) -> IssuedToken:
    credentials = ManagedIdentityAppCredentials(app_id, scope)
    try:
        text = await asyncio.to_thread(credentials.get_access_token)
    except (KeyError, OSError, ValueError) as error:
        raise DeliveryUnavailable(f"token: {type(error).__name__}") from None
    # The vendor's own cache knows when the token ends; it is asked again soon.
    return IssuedToken(text=text, seconds=2 * _SPARE_SECONDS)
