"""What went wrong at Slack, in our words."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from aiohttp import ClientConnectorError, ClientError
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from cards.errors import DeliveryBusy, DeliveryRefused, DeliveryUnavailable

_BUSY: Final = frozenset({"ratelimited", "rate_limited"})
_TRANSIENT: Final = frozenset({"internal_error", "fatal_error", "service_unavailable", "request_timeout"})
_TOO_MANY_REQUESTS: Final = 429
_SERVER_ERROR: Final = 500


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
        return DeliveryBusy(f"{method}: {type(error).__name__}")
    if not isinstance(error, SlackApiError):
        return DeliveryUnavailable(f"{method}: {type(error).__name__}")
    status, code = _said(error.response)
    if code in _BUSY or status == _TOO_MANY_REQUESTS:
        return DeliveryBusy(f"{method}: {code or status}", _retry_after(error.response))
    if code in _TRANSIENT or status >= _SERVER_ERROR:
        return DeliveryUnavailable(f"{method}: {code or status}")
    return DeliveryRefused(f"{method}: {code or status}")


def _said(response: object) -> tuple[int, str]:
    if not isinstance(response, AsyncSlackResponse):
        return _SERVER_ERROR, "unreadable"
    code = response.data.get("error", "") if isinstance(response.data, dict) else ""
    return response.status_code, str(code)


def _retry_after(response: object) -> float | None:
    """The seconds Slack asks to wait; None when it names none."""
    if not isinstance(response, AsyncSlackResponse):
        return None
    asked = {name.lower(): str(held) for name, held in response.headers.items()}.get("retry-after", "")
    return float(asked) if asked.isdecimal() else None
