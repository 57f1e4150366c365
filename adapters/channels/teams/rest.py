"""The Bot Connector's calls that are no messages: people of a conversation, new conversations."""

from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Final

import aiohttp
from yarl import URL

from adapters.channels.calls import Seen, unseen
from adapters.channels.teams.errors import UNAUTHORIZED
from adapters.channels.teams.tokens import BotToken
from cards.errors import DeliveryRefused, DeliveryUnavailable

_REFUSED: Final = frozenset({400, 403, 404, 405, 410, 413})
_ATTEMPTS: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectorRest:
    """Asks with the bot's own token, once more where the first answer was none. `seconds` bound one attempt.

    Each attempt is told to `seen`.
    """

    token: BotToken
    seconds: float
    seen: Seen = unseen

    async def get(self, method: str, url: URL) -> Any:
        """The JSON found there. Raises `DeliveryUnavailable`, `DeliveryRefused`; they name `method`."""
        return await self._asked(method, "GET", url, None)

    async def post(self, method: str, url: URL, body: Mapping[str, Any]) -> Any:
        """The JSON answered. Raises as `get`."""
        return await self._asked(method, "POST", url, body)

    async def _asked(self, method: str, verb: str, url: URL, body: Mapping[str, Any] | None) -> Any:
        for _ in range(_ATTEMPTS - 1):
            try:
                return await self._once(method, verb, url, body)
            except DeliveryUnavailable:
                continue
        return await self._once(method, verb, url, body)

    async def _once(self, method: str, verb: str, url: URL, body: Mapping[str, Any] | None) -> Any:
        token = await self.token.current()
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        started, status = perf_counter(), 0
        try:
            async with (
                aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=self.seconds)) as session,
                session.request(verb, url, json=body, headers=headers, allow_redirects=False) as response,
            ):
                status = response.status
                self._check(method, status)
                return await response.json(content_type=None)
        except (aiohttp.ClientError, TimeoutError, ValueError) as error:
            raise DeliveryUnavailable(f"{method}: {type(error).__name__}") from None
        finally:
            self.seen(method, status, perf_counter() - started)

    def _check(self, method: str, status: int) -> None:
        if status == UNAUTHORIZED:
            self.token.forget()
        if status in _REFUSED:
            raise DeliveryRefused(f"{method}: {status}")
        if not 200 <= status < 300:
            raise DeliveryUnavailable(f"{method}: {status}")


def conversation_url(service_url: str, *parts: str) -> URL:
    """The address of a conversation's things, or of all conversations."""
    url = URL(service_url) / "v3" / "conversations"
    for part in parts:
        url /= part
    return url
