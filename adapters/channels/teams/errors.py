"""What went wrong at Teams, in our words."""

from typing import Any, Final

from msrest.exceptions import ClientException

from cards.errors import DeliveryBusy, DeliveryRefused, DeliveryUnavailable
from semantic_catalog.errors import OperatorError

UNAUTHORIZED: Final = 401
TRANSIENT: Final = frozenset({429, 412, 502, 503, 504})
UNDONE: Final = frozenset({429, 412, 503})
"""Teams did nothing of what was asked; after any other answer it may have done it."""

_PASSING: Final = TRANSIENT | {UNAUTHORIZED, 408, 500}


class TenantNotAllowed(OperatorError):
    """Somebody of a tenant that may not ask; `detail` is the tenant."""

    code = "teams_tenant_not_allowed"


def status_of(error: ClientException) -> int:
    """The HTTP status Teams answered with; 0 when it did not answer."""
    return int(getattr(_response(error), "status_code", 0) or 0)


def retry_after(error: ClientException) -> float | None:
    """The seconds Teams asks to wait; None when it names none."""
    headers = getattr(_response(error), "headers", None) or {}
    text = str(headers.get("Retry-After", ""))
    return float(text) if text.isdecimal() else None


def delivery_error(method: str, error: ClientException) -> DeliveryUnavailable | DeliveryRefused:
    """Refused when Teams said so for good, unavailable otherwise; `detail` names the method and the status."""
    status = status_of(error)
    if status in UNDONE:
        return DeliveryBusy(f"{method}: {status}", retry_after(error))
    if status == 0 or status in _PASSING:
        return DeliveryUnavailable(f"{method}: {status or 'no answer'}")
    return DeliveryRefused(f"{method}: {status}")


def _response(error: ClientException) -> Any:
    return getattr(error, "response", None)
