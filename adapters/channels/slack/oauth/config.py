"""What an app that several workspaces install has to know."""

from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from cryptography.fernet import Fernet

from semantic_catalog.errors import OperatorError

INSTALL_PATH: Final = "/slack/install"
REDIRECT_PATH: Final = "/slack/oauth_redirect"


class SlackConfigInvalid(OperatorError):
    """Slack cannot be served with these settings; `detail` names every fault, without values."""

    code = "slack_config_invalid"


@dataclass(frozen=True, slots=True, kw_only=True)
class OAuthConfig:
    """One distributed app. `keys` are Fernet keys: the first encrypts, all of them decrypt.

    `allowed` are the workspaces (T…) and organisations (E…) that may install it: whoever installs brings e-mail
    addresses that the policy believes.
    """

    client_id: str
    client_secret: str = field(repr=False)
    keys: tuple[str, ...] = field(repr=False)
    public_base_url: str
    scopes: tuple[str, ...]
    allowed: frozenset[str] = frozenset()

    @property
    def redirect_uri(self) -> str:
        """Where Slack sends the person back to."""
        return f"{self.public_base_url.rstrip('/')}{REDIRECT_PATH}"

    def admits(self, *owners: str) -> bool:
        """Whether a workspace or its organisation may install the app."""
        return any(owner in self.allowed for owner in owners if owner)


def check_oauth_config(config: OAuthConfig) -> None:
    """Raises `SlackConfigInvalid` when the app must not start."""
    faults = []
    if not config.client_secret:
        faults.append("SLACK_CLIENT_SECRET is empty")
    if not config.keys:
        faults.append("SLACK_TOKEN_KEYS is empty: tokens are stored encrypted only")
    if not all(is_key(key) for key in config.keys):
        faults.append("SLACK_TOKEN_KEYS holds what is no Fernet key (32 bytes, URL-safe base64)")
    if urlsplit(config.public_base_url).scheme != "https":
        faults.append("PUBLIC_BASE_URL is not an https address")
    if not config.allowed:
        faults.append("SLACK_ALLOWED_WORKSPACES is empty, so nobody could install")
    if faults:
        raise SlackConfigInvalid("; ".join(faults))


def is_key(text: str) -> bool:
    """Whether it is a Fernet key."""
    try:
        Fernet(text)
    except ValueError:
        return False
    return True
