"""Installations as encrypted bytes."""

import json
from collections.abc import Sequence
from datetime import datetime

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from slack_sdk.oauth.installation_store import Installation

from semantic_catalog.errors import OperatorError


class InstallationUnreadable(OperatorError):
    """No key at hand decrypts the stored installation."""

    code = "installation_unreadable"


class Seals:
    """Encrypts with the first of the keys and decrypts with any."""

    def __init__(self, keys: Sequence[str]) -> None:
        self._all = MultiFernet([Fernet(key) for key in keys])

    def seal(self, installation: Installation) -> bytes:
        """The installation, encrypted."""
        return self._all.encrypt(json.dumps(installation.to_dict_for_copying(), default=datetime.isoformat).encode())

    def open(self, sealed: bytes) -> Installation:
        """The sealed installation. Raises `InstallationUnreadable`."""
        try:
            return Installation(**json.loads(self._all.decrypt(sealed)))
        except InvalidToken:
            raise InstallationUnreadable("no key of SLACK_TOKEN_KEYS opens it") from None

    def again(self, sealed: bytes) -> bytes:
        """The same, encrypted with the first key. Raises `InstallationUnreadable`."""
        try:
            return self._all.rotate(sealed)
        except InvalidToken:
            raise InstallationUnreadable("no key of SLACK_TOKEN_KEYS opens it") from None
