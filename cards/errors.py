"""What can go wrong when a card is delivered."""

from semantic_catalog.errors import OperatorError


class DeliveryUnavailable(OperatorError):
    """The platform does not answer or asks to wait; the delivery is tried again. `detail` names the method and code.

    What was sent may have arrived all the same. `retry_after` are the seconds the platform asked for, if it did.
    """

    code = "delivery_unavailable"

    def __init__(self, detail: str, retry_after: float | None = None) -> None:
        self.retry_after = retry_after
        super().__init__(detail)


class DeliveryBusy(DeliveryUnavailable):
    """The platform did nothing of what was asked: it was never reached, or asks to wait."""


class DeliveryRefused(OperatorError):
    """The platform refused the message for good: not in the channel, archived, an illegal payload."""

    code = "delivery_refused"
