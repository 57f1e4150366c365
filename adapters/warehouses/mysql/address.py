"""Where a MySQL or MariaDB is, read from its URL."""

import ssl
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from agent.errors import WarehouseUnavailable

_SCHEMES = frozenset({"mysql", "mariadb"})
_PARAMETERS = frozenset({"unix_socket", "ssl_mode", "ssl_ca"})
_PORT = 3306


def driver_arguments(url: str) -> dict[str, Any]:
    """Account, server and encryption of `mysql://user:password@host:port/database?parameters` as the driver names them.

    Parameters are `unix_socket` (a path), `ssl_mode` (`DISABLED`, `REQUIRED`, `VERIFY_CA` or `VERIFY_IDENTITY`, as in
    MySQL's own clients) and `ssl_ca` (a file of certificates; the system's if it is missing). Raises
    WarehouseUnavailable, which never quotes the URL, for one that cannot be used.
    """
    parts = urlsplit(url)
    given = dict(parse_qsl(parts.query, keep_blank_values=True))
    _check(parts.scheme, given)
    return {
        "user": unquote(parts.username or ""),
        # The driver would encode text as Latin-1.
        "password": unquote(parts.password or "").encode(),
        "host": parts.hostname or "localhost",
        "port": _port_of(url),
        "database": unquote(parts.path.lstrip("/")) or None,
        "unix_socket": given.get("unix_socket") or None,
        "ssl": _encryption(given),
    }


def _check(scheme: str, given: Mapping[str, str]) -> None:
    if scheme not in _SCHEMES:
        raise WarehouseUnavailable("the URL of a MySQL warehouse starts with mysql:// or mariadb://")
    if unknown := sorted(given.keys() - _PARAMETERS):
        raise WarehouseUnavailable(f"the URL of a MySQL warehouse has no parameter {', '.join(unknown)}")


def _port_of(url: str) -> int:
    try:
        return urlsplit(url).port or _PORT
    except ValueError:
        raise WarehouseUnavailable("the port in the URL of a MySQL warehouse is no number") from None


def _encryption(given: Mapping[str, str]) -> ssl.SSLContext | None:
    mode = given.get("ssl_mode", "VERIFY_IDENTITY" if "ssl_ca" in given else "DISABLED").upper()
    if mode == "DISABLED":
        return None
    if mode not in ("REQUIRED", "VERIFY_CA", "VERIFY_IDENTITY"):
        raise WarehouseUnavailable("ssl_mode is DISABLED, REQUIRED, VERIFY_CA or VERIFY_IDENTITY")
    try:
        context = ssl.create_default_context(cafile=given.get("ssl_ca"))
    except OSError:
        raise WarehouseUnavailable("the file of ssl_ca cannot be read") from None
    context.check_hostname = mode == "VERIFY_IDENTITY"
    if mode == "REQUIRED":
        context.verify_mode = ssl.CERT_NONE
    return context
