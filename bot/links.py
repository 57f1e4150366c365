"""Signed, expiring download links: they name one file of one run and nothing else."""

import base64
import hmac
import time
from collections.abc import Callable
from dataclasses import dataclass

from agent.values.identity import RunId
from bot.settings import HttpSettings, secret_of

_SIGNATURE_BYTES = 32


def links_of(settings: HttpSettings) -> "DownloadLinks | None":
    """The links that the settings allow; None without a public address or a key."""
    secret, base = secret_of(settings.link_signing_secret), settings.public_base_url
    if not secret or not base:
        return None
    return DownloadLinks(base_url=base, secret=secret.encode(), lifetime_seconds=settings.link_minutes * 60)


@dataclass(frozen=True, slots=True, kw_only=True)
class DownloadLinks:
    """Makes and reads links under one base URL. `seconds_now` is Unix time."""

    base_url: str
    secret: bytes
    lifetime_seconds: int
    seconds_now: Callable[[], float] = time.time

    def link_for(self, run: RunId, key: str) -> str:
        """An URL that serves the file until it expires."""
        expires = int(self.seconds_now()) + self.lifetime_seconds
        body = f"{run}|{key}|{expires}".encode()
        token = base64.urlsafe_b64encode(self._sign(body) + body).decode().rstrip("=")
        return f"{self.base_url.rstrip('/')}/files/{token}"

    def read(self, token: str) -> tuple[RunId, str] | None:
        """The run and key of a link made here and not expired; None for anything else."""
        try:
            raw = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
        except ValueError:
            return None
        signature, body = raw[:_SIGNATURE_BYTES], raw[_SIGNATURE_BYTES:]
        if not hmac.compare_digest(signature, self._sign(body)):
            return None
        run, key, expires = body.decode().split("|")
        return (RunId(run), key) if int(expires) > self.seconds_now() else None

    def _sign(self, body: bytes) -> bytes:
        return hmac.digest(self.secret, body, "sha256")
