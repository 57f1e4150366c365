"""What can go wrong when a card is delivered."""

from semantic_catalog.errors import OperatorError


class DeliveryUnavailable(OperatorError):
    """The platform does not answer or asks to wait; the delivery is tried again. `detail` names the method and code."""

    code = "delivery_unavailable"


class DeliveryRefused(OperatorError):
    """The platform refused the message for good: not in the channel, archived, an illegal payload."""

    code = "delivery_refused"
