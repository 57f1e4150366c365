"""How many connections one process opens at most, and whether that fits beside the others."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, get_args

import structlog

from adapters.control.postgres.processes import DEAD_AFTER_SECONDS, Process, Room, admit
from bot.addresses import Addresses, WarehouseAddress
from bot.settings import Settings
from semantic_catalog.errors import OperatorError
from semantic_catalog.model import DomainName

ServiceKind = Literal["serve", "worker", "all-in-one"]
ProcessKind = Literal["serve", "worker", "all-in-one", "command"]
SERVICES: tuple[ServiceKind, ...] = get_args(ServiceKind)

INBOX_CONNECTIONS = 6
"""Of the inbox: turns that come in, and what its worker asks and writes."""

_LISTENING = 1
"""A worker's, on which it hears that a turn came in."""

_ASIDE = 1
"""Opened for the migrations at start and for each look at the store's health, so that a full pool is no outage."""

INSTALLATIONS_CONNECTIONS = 2
"""Of the workspaces that installed the Slack app, where it is distributed."""

_OF_MYSQL_APART = 2
_ADMISSION_PATIENCE_SECONDS = DEAD_AFTER_SECONDS + 5
"""For so long a start waits for room: a process that was killed is counted until it is known to be dead."""

_LOOK_AGAIN_SECONDS = 1.0

log = structlog.get_logger()


class NoRoomForConnections(OperatorError):
    """The process may open more connections to the control database than are left; `detail` says what to change."""

    code = "no_room_for_connections"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionNeeds:
    """The most connections of one process to the control database, the cache and the server of each warehouse."""

    control: int
    cache: int
    warehouses: Mapping[DomainName, int]


def kind_of(process: Process) -> ProcessKind:
    """The kind that a process says it is; anything but a service is a command."""
    return next((kind for kind in SERVICES if kind == process.kind), "command")


def connection_needs(settings: Settings, addresses: Addresses, kind: ProcessKind) -> ConnectionNeeds:
    """What a process of that kind opens at most with these settings. `docs/operations.md` states the same sums."""
    stores = settings.stores
    control = stores.control_pool_size + INBOX_CONNECTIONS + _ASIDE
    if kind in ("worker", "all-in-one"):
        control += _LISTENING
    if settings.slack.slack_client_id:
        control += INSTALLATIONS_CONNECTIONS
    size = stores.warehouse_pool_size
    warehouses = {name: of_warehouse(address, size) for name, address in addresses.warehouses.items()}
    return ConnectionNeeds(control=control, cache=stores.redis_pool_size, warehouses=MappingProxyType(warehouses))


def of_warehouse(address: WarehouseAddress, size: int) -> int:
    """The most connections to a warehouse's server with a pool of that size.

    One more asks for the engine's health. MySQL ends statements on connections beside the pool, and its account for
    plans has a pool of its own. DuckDB reads a file.
    """
    match address.dialect:
        case "postgres":
            return size + 1
        case "mysql":
            return size * (2 if address.planner_url else 1) + _OF_MYSQL_APART
        case "duckdb":
            return 0


async def admitted(url: str, process: Process, budget: int, patience: float = _ADMISSION_PATIENCE_SECONDS) -> Room:
    """Enter the process among those that serve the control database; the room that it found.

    It is waited for room for `patience` seconds. Raises NoRoomForConnections, and StoreUnavailable.
    """
    until = asyncio.get_running_loop().time() + patience
    while not (room := await admit(url, process, budget)).fits(process.connections):
        if asyncio.get_running_loop().time() >= until:
            raise NoRoomForConnections(said_without_room(process, room, budget))
        log.warning("waiting_for_connections", needed=process.connections, claimed=room.claimed, allowed=room.allowed)
        await asyncio.sleep(_LOOK_AGAIN_SECONDS)
    return room


def said_without_room(process: Process, room: Room, budget: int) -> str:
    """Why the process does not start, in words, and what to change."""
    whose = "CONTROL_CONNECTIONS allows" if budget else "the control database's server leaves"
    more = "raise CONTROL_CONNECTIONS" if budget else "raise max_connections of the server"
    return (
        f"this {process.kind} opens up to {process.connections} connections to the control database; "
        f"{whose} {room.allowed}, and the processes that run claim {room.claimed} of them. "
        f"Lower CONTROL_POOL_SIZE, start fewer processes, or {more}; 'countersign doctor' lists them"
    )
