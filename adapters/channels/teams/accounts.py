"""Whether an Entra account may still sign in, asked of Microsoft Graph where the app may ask."""

from typing import Any, Final

import aiohttp
from yarl import URL

from adapters.channels.teams.config import TeamsConfig
from adapters.channels.teams.tokens import BotToken, graph_issuer_of
from agent.values.identity import ExternalUser
from cards.errors import DeliveryUnavailable

_UNAUTHORIZED: Final = 401
_PATIENCE_SECONDS: Final = 3.0


class EntraAccounts:
    """Asks with a token of the app (permission `User.Read.All`); without it everybody counts as active."""

    def __init__(self, config: TeamsConfig) -> None:
        self._config = config
        self._tokens: dict[str, BotToken] = {}

    async def is_active(self, user: ExternalUser) -> bool:
        """Whether the account exists and is enabled. Raises `DeliveryUnavailable`."""
        if self._config.is_open:
            return True
        token = self._tokens.setdefault(user.tenant, BotToken(graph_issuer_of(self._config, user.tenant)))
        url = URL(self._config.endpoints.graph_url) / "users" / user.user_id % {"$select": "accountEnabled"}
        headers = {"Authorization": f"Bearer {await token.current()}"}
        try:
            async with (
                aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=_PATIENCE_SECONDS)) as session,
                session.get(url, headers=headers, allow_redirects=False) as response,
            ):
                if response.status == _UNAUTHORIZED:
                    token.forget()
                return _is_active(response.status, await response.json(content_type=None))
        except (aiohttp.ClientError, TimeoutError, ValueError) as error:
            raise DeliveryUnavailable(f"accountEnabled: {type(error).__name__}") from None


def _is_active(status: int, body: Any) -> bool:
    match status:
        case 200:
            return not isinstance(body, dict) or body.get("accountEnabled") is not False
        case 404:
            return False
        case 403:
            return True
        case _:
            raise DeliveryUnavailable(f"accountEnabled: {status}")
