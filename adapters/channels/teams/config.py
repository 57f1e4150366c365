"""What the Teams adapter needs to know, and whether it may start with it."""

import ipaddress
from dataclasses import dataclass, field
from typing import Final, Literal

import structlog

from adapters.channels.calls import Seen, unseen
from semantic_catalog.errors import OperatorError
from semantic_catalog.model import Locale

AppType = Literal["SingleTenant", "UserAssignedMSI", "MultiTenant"]
_SHARED_TENANT: Final = "botframework.com"

log = structlog.get_logger()


class TeamsConfigInvalid(OperatorError):
    """Teams cannot be served with these settings; `detail` names every fault, without values."""

    code = "teams_config_invalid"


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoints:
    """Microsoft's addresses. `token_url` has a place `{tenant}`; `file_hosts` are host name endings."""

    metadata_url: str = "https://login.botframework.com/v1/.well-known/openidconfiguration"
    token_url: str = "https://login.microsoftonline.com/{tenant}/oauth2/v2.0/token"  # noqa: S105  # an address
    issuer: str = "https://api.botframework.com"
    scope: str = "https://api.botframework.com"
    graph_url: str = "https://graph.microsoft.com/v1.0/"
    graph_scope: str = "https://graph.microsoft.com"
    file_hosts: tuple[str, ...] = (".sharepoint.com", ".sharepoint.us", ".sharepoint.cn")


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long Teams is waited for. Times are seconds; the pause doubles with each attempt, up to `longest_pause`.

    `lookup` bounds what is asked while Teams waits for an answer; `stream` lies between two steps of a stream.
    """

    request: float = 10
    attempts: int = 4
    first_pause: float = 0.5
    longest_pause: float = 3
    lookup: float = 2
    stream: float = 1.5


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamsConfig:
    """One bot. `allowed_tenants` may ask; empty means the app's own tenant.

    `signing_secret` signs what a file consent card carries back; empty means the app password. The process that posts
    and the one that receives need the same. `allows_guests` lets guests of those tenants ask, as far as the policy
    knows them; `native_charts` has Teams draw charts, with the picture for clients that cannot.
    `files_by_graph` puts workbooks into the files of channels.
    Each try to send is told to `seen`.
    """

    app_id: str = ""
    app_password: str = field(default="", repr=False)
    app_type: AppType = "SingleTenant"
    tenant_id: str = ""
    allowed_tenants: frozenset[str] = frozenset()
    signing_secret: bytes = field(default=b"", repr=False)
    unsafe_without_credentials: bool = False
    listen_host: str = "127.0.0.1"
    default_locale: Locale = "en"
    allows_guests: bool = False
    native_charts: bool = False
    files_by_graph: bool = False
    endpoints: Endpoints = Endpoints()
    patience: Patience = Patience()
    seen: Seen = unseen

    @property
    def is_open(self) -> bool:
        """Whether requests are taken without a token: only ever on this machine."""
        return not self.app_id

    @property
    def token_tenant(self) -> str:
        """The tenant the bot's own token comes from."""
        return _SHARED_TENANT if self.app_type == "MultiTenant" else self.tenant_id

    @property
    def signing_key(self) -> bytes:
        """The key that signs consent cards; empty only without credentials."""
        return self.signing_secret or self.app_password.encode()

    def admits(self, tenant: str) -> bool:
        """Whether people of the tenant may ask."""
        if self.is_open and not self.allowed_tenants:
            return True
        return tenant.lower() in {allowed.lower() for allowed in self.allowed_tenants or {self.tenant_id} if allowed}


def check_config(config: TeamsConfig) -> None:
    """Raises `TeamsConfigInvalid` when the bot must not start; warns when it starts without authentication."""
    faults = _faults_without_credentials(config) if config.is_open else _faults(config)
    if faults:
        raise TeamsConfigInvalid("; ".join(faults))
    if config.is_open:
        log.warning("teams_without_authentication", host=config.listen_host)


def _faults(config: TeamsConfig) -> list[str]:
    faults = []
    if config.app_type != "UserAssignedMSI" and not config.app_password:
        faults.append("TEAMS_APP_PASSWORD is empty")
    if config.app_type != "MultiTenant" and not config.tenant_id:
        faults.append("TEAMS_TENANT_ID is empty")
    if not config.allowed_tenants and not config.tenant_id:
        faults.append("TEAMS_ALLOWED_TENANTS is empty, so nobody could ask")
    if not config.signing_key:
        faults.append("LINK_SIGNING_SECRET is empty; a managed identity has no password to sign with")
    return faults


def _faults_without_credentials(config: TeamsConfig) -> list[str]:
    faults = []
    if not config.unsafe_without_credentials:
        faults.append("TEAMS_APP_ID is empty; a local emulator alone may do without")
    if not _is_loopback(config.listen_host):
        faults.append("without TEAMS_APP_ID the app listens on a loopback address only")
    return faults


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
