"""What went wrong at Slack, in our words."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from aiohttp import ClientConnectorError, ClientError
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from cards.errors import DeliveryRefused, DeliveryUnavailable

_BUSY: Final = frozenset({"ratelimited", "rate_limited"})
_TRANSIENT: Final = frozenset({"internal_error", "fatal_error", "service_unavailable", "request_timeout"})
_TOO_MANY_REQUESTS: Final = 429
_SERVER_ERROR: Final = 500


class SlackBusy(DeliveryUnavailable):
    """Slack did nothing of what was asked: it was never reached, or asks to wait."""


@contextmanager
def asking_slack(method: str) -> Iterator[None]:
    """While inside, the SDK's errors become `DeliveryUnavailable` or `DeliveryRefused`.

    The SDK's own error is left out: it may hold what was sent.
    """
    try:
        yield
    except (SlackClientError, ClientError, TimeoutError) as error:
        raise delivery_error(method, error) from None


def delivery_error(method: str, error: Exception) -> DeliveryUnavailable | DeliveryRefused:
    """Refused when Slack said so for good, unavailable otherwise; `detail` names the method and Slack's code."""
    if isinstance(error, ClientConnectorError):
        return SlackBusy(f"{method}: {type(error).__name__}")
    if not isinstance(error, SlackApiError):
        return DeliveryUnavailable(f"{method}: {type(error).__name__}")
    status, code = _said(error.response)
    if code in _BUSY or status == _TOO_MANY_REQUESTS:
        return SlackBusy(f"{method}: {code or status}")
    if code in _TRANSIENT or status >= _SERVER_ERROR:
        return DeliveryUnavailable(f"{method}: {code or status}")
    return DeliveryRefused(f"{method}: {code or status}")


def _said(response: object) -> tuple[int, str]:
    if not isinstance(response, AsyncSlackResponse):
        return _SERVER_ERROR, "unreadable"
    code = response.data.get("error", "") if isinstance(response.data, dict) else ""
    return response.status_code, str(code)
