"""The keys that sign Teams' requests. The SDK's own would block the loop and miss a new key for a day."""

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import aiohttp
import jwt

from semantic_catalog.errors import OperatorError

KEEP_SECONDS: Final = 24 * 3600.0
AGAIN_SECONDS: Final = 60.0
AFTER_FAILURE_SECONDS: Final = 5.0
CHANNEL: Final = "msteams"


class KeysUnavailable(OperatorError):
    """The keys could not be fetched: nobody can be told from an impostor now. `detail` is the kind of error."""

    code = "teams_keys_unavailable"


@dataclass(frozen=True, slots=True, kw_only=True)
class SigningKey:
    """A key, with the attributes that the SDK's token extractor reads. Endorsements were checked before."""

    public_key: Any
    endorsements: tuple[str, ...] = ()


class SigningKeys:
    """The published keys, fetched for an unknown key id or after a day: at most once a minute, or 5 s after a failure.

    `seconds` is a monotonic clock.
    """

    def __init__(self, metadata_url: str, timeout: float, seconds: Callable[[], float] = time.monotonic) -> None:
        self._metadata_url = metadata_url
        self._timeout = aiohttp.ClientTimeout(total=timeout)
        self._seconds = seconds
        self._keys: dict[str, dict[str, Any]] = {}
        self._stale_at = self._again_at = float("-inf")
        self._failure = ""
        self._lock = asyncio.Lock()

    async def get(self, key_id: str | None) -> SigningKey:
        """The key of that id, endorsed for Teams.

        Raises `PermissionError` when there is none, `KeysUnavailable` when they cannot be fetched.
        """
        if not self._holds(key_id):
            async with self._lock:
                await self._refresh(key_id)
        found = self._keys.get(key_id or "")
        if found is None:
            raise PermissionError("the token's key is not published")
        endorsements = found.get("endorsements") or (CHANNEL,)
        if CHANNEL not in endorsements:
            raise PermissionError("the token's key is not endorsed for Teams")
        return SigningKey(public_key=jwt.PyJWK(found).key)

    def _holds(self, key_id: str | None) -> bool:
        return key_id in self._keys and self._seconds() < self._stale_at

    async def _refresh(self, key_id: str | None) -> None:
        """Nothing when another request fetched while this one waited, or when it was tried a moment ago."""
        if self._holds(key_id):
            return
        if self._seconds() >= self._again_at:
            await self._try()
        if self._failure:
            raise KeysUnavailable(self._failure)

    async def _try(self) -> None:
        try:
            self._keys, self._failure = await self._fetch(), ""
            self._stale_at = self._seconds() + KEEP_SECONDS
        except (aiohttp.ClientError, TimeoutError, ValueError, KeyError, TypeError) as error:
            self._failure = type(error).__name__
        self._again_at = self._seconds() + (AFTER_FAILURE_SECONDS if self._failure else AGAIN_SECONDS)

    async def _fetch(self) -> dict[str, dict[str, Any]]:
        async with aiohttp.ClientSession(timeout=self._timeout, raise_for_status=True) as session:
            metadata = await _json(session, self._metadata_url)
            published = await _json(session, metadata["jwks_uri"])
        return {str(key["kid"]): key for key in published["keys"]}


async def _json(session: aiohttp.ClientSession, url: str) -> Any:
    async with session.get(url) as response:
        return json.loads(await response.text())
