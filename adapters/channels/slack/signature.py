"""Whether a request is Slack's, and new."""

import time
from collections import OrderedDict
from collections.abc import Mapping
from typing import Final

from slack_sdk.signature import SignatureVerifier

_SIGNATURE: Final = "X-Slack-Signature"
_TIMESTAMP: Final = "X-Slack-Request-Timestamp"
_VALID_SECONDS: Final = 300.0
_LONGEST_TIMESTAMP: Final = 12


class RequestSignatures:
    """Checks signatures over raw bodies, before anything reads them, and takes each signed request once.

    Bolt checks too, but reads the body first, fails on a timestamp that is no number, and logs the bodies it refuses.
    """

    def __init__(self, signing_secret: str) -> None:
        self._verifier = SignatureVerifier(signing_secret)
        self._seen: OrderedDict[str, float] = OrderedDict()

    def claim(self, headers: Mapping[str, str], body: str) -> bool:
        """Whether the request is Slack's, not older than 5 minutes, and not one that was claimed before."""
        signature, timestamp = headers.get(_SIGNATURE, ""), headers.get(_TIMESTAMP, "")
        if not signature.isascii() or not _is_number(timestamp):
            return False
        if not self._verifier.is_valid(body, timestamp, signature):
            return False
        return self._is_new(signature)

    def release(self, headers: Mapping[str, str]) -> None:
        """The claimed request was not done: the very same one may come again."""
        self._seen.pop(headers.get(_SIGNATURE, ""), None)

    def _is_new(self, signature: str) -> bool:
        now = time.monotonic()
        while self._seen and next(iter(self._seen.values())) < now:
            self._seen.popitem(last=False)
        if signature in self._seen:
            return False
        # A timestamp may lie 5 minutes ahead and stays valid for 5 more after that.
        self._seen[signature] = now + 2 * _VALID_SECONDS
        return True


def _is_number(timestamp: str) -> bool:
    return timestamp.isascii() and timestamp.isdecimal() and len(timestamp) <= _LONGEST_TIMESTAMP
