"""The Web API clients: one connection pool, three ways to insist."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from aiohttp import ClientSession, ClientTimeout
from slack_sdk.http_retry.builtin_async_handlers import (
    AsyncConnectionErrorRetryHandler,
    AsyncRateLimitErrorRetryHandler,
    AsyncServerErrorRetryHandler,
)
from slack_sdk.http_retry.request import HttpRequest
from slack_sdk.http_retry.response import HttpResponse
from slack_sdk.http_retry.state import RetryState
from slack_sdk.web.async_client import AsyncWebClient

from adapters.channels.calls import Seen, traced_calls, unseen

SLACK_API = "https://slack.com/api/"
LONGEST_WAIT_SECONDS: Final = 3
"""What Slack asks to wait longer for is left to a queue: a worker has other things to do meanwhile."""


class _ShortWaits(AsyncRateLimitErrorRetryHandler):
    """Waits where Slack asks for moments only."""

    async def _can_retry_async(
        self,
        *,
        state: RetryState,
        request: HttpRequest,
        response: HttpResponse | None = None,
        error: Exception | None = None,
    ) -> bool:
        if not await super()._can_retry_async(state=state, request=request, response=response, error=error):
            return False
        asked = {name.lower(): held for name, held in (response.headers if response else {}).items()}
        seconds = "".join(asked.get("retry-after", ["0"]))
        return not seconds.isdecimal() or int(seconds) <= LONGEST_WAIT_SECONDS


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackClients:
    """The same Slack, asked differently.

    `once` never repeats a call: for what must be done within Slack's 3 seconds. `posting` waits when Slack says so and
    repeats nothing that may have arrived. `repeating` also repeats after broken connections and server errors: for
    calls that may be made twice.
    """

    once: AsyncWebClient
    posting: AsyncWebClient
    repeating: AsyncWebClient

    def renew(self, token: str) -> None:
        """Go on with another token of the same bot."""
        for client in (self.once, self.posting, self.repeating):
            client.token = token


@asynccontextmanager
async def slack_session(timeout_seconds: float = 30, seen: Seen = unseen) -> AsyncIterator[ClientSession]:
    """The connections of every client made over it, each request told to `seen`; closed on the way out."""
    calls = traced_calls(seen, _method_of)
    async with ClientSession(timeout=ClientTimeout(total=timeout_seconds), trace_configs=[calls]) as session:
        yield session


@asynccontextmanager
async def slack_clients(
    token: str, base_url: str = SLACK_API, timeout_seconds: float = 30, seen: Seen = unseen
) -> AsyncIterator[SlackClients]:
    """Clients of one bot token; their connections are closed on the way out."""
    async with slack_session(timeout_seconds, seen) as session:
        yield clients_over(session, token, base_url)


def clients_over(session: ClientSession, token: str, base_url: str = SLACK_API) -> SlackClients:
    """Clients of one bot token over connections that are somebody else's to close."""
    once, posting, repeating = (AsyncWebClient(token=token, base_url=base_url, session=session) for _ in range(3))
    waiting = _ShortWaits(max_retry_count=2)
    once.retry_handlers = []
    posting.retry_handlers = [waiting]
    repeating.retry_handlers = [
        AsyncConnectionErrorRetryHandler(),
        waiting,
        AsyncServerErrorRetryHandler(max_retry_count=2),
    ]
    return SlackClients(once=once, posting=posting, repeating=repeating)


def _method_of(path: str) -> str:
    """The Web API's method; uploads and downloads of files have paths of their own."""
    before, _, name = path.rpartition("/")
    return name if before.endswith("/api") and "." in name else "file"
