"""What is answered to Slack's own requests."""

from slack_bolt.response import BoltResponse


def answer(payload: dict[str, object] | None = None) -> BoltResponse:
    """Taken; with a payload where Slack reads one."""
    return BoltResponse(status=200, body=payload or "")


def form_error(field: str, words: str) -> BoltResponse:
    """The dialog stays open, with the words under the field."""
    return answer({"response_action": "errors", "errors": {field: words}})
