"""Keeps tests on this machine: a connection to anywhere else fails the test that tried it."""

import ipaddress
import sys
from functools import cache

_ADDRESS_EVENTS = frozenset({"socket.connect", "socket.sendto", "socket.sendmsg"})
_NAME_EVENTS = frozenset({"socket.getaddrinfo", "socket.gethostbyname"})


class OutsideConnection(RuntimeError):
    """A test reached for another machine."""


@cache
def attempts() -> list[str]:
    """Hosts that code under test tried to reach, oldest first; whoever reads them clears them."""
    return []


@cache
def watch() -> None:
    """Guard this process from now on. Python cannot take an audit hook back, so it is set once."""
    sys.addaudithook(_refuse_outside)


def _refuse_outside(event: str, arguments: tuple[object, ...]) -> None:
    host: object = None
    if event in _NAME_EVENTS:
        host = arguments[0]
    elif event in _ADDRESS_EVENTS and isinstance(arguments[1], tuple):
        host = arguments[1][0]
    if isinstance(host, bytes):
        host = host.decode()
    if isinstance(host, str) and not _is_this_machine(host):
        attempts().append(host)
        raise OutsideConnection(f"tests stay on this machine, but something reached for {host}")


def _is_this_machine(host: str) -> bool:
    if host in ("", "localhost"):
        return True
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified
