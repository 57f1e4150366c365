"""Which processes serve the control database, what they work by, and whether their connections fit the server."""

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC

from adapters.control.postgres.connections import create_pool
from adapters.control.postgres.processes import PostgresProcesses, Room, SeenProcess
from agent.errors import StoreFailed, StoreUnavailable
from bot.addresses import Addresses
from bot.checkups.finding import Finding, unwell, well
from bot.connections import connection_needs
from bot.settings import Settings

_FACTS = ("version", "catalog", "policy", "models")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessCheckup:
    """Asks the control database, which has to be migrated."""

    settings: Settings
    addresses: Addresses

    async def findings(self) -> AsyncIterator[Finding]:
        """The budget of connections, then each process that lives."""
        pool = create_pool(self.addresses.control, max_connections=1)
        store = PostgresProcesses(pool, self.settings.stores.control_connections)
        try:
            room, seen = await store.room(), await store.all()
        except (StoreUnavailable, StoreFailed):
            # The control store is a finding of its own.
            return
        finally:
            await pool.close()
        live = [each for each in seen if each.is_live]
        yield self._connections(room, live)
        for finding in processes_found(live):
            yield finding

    def _connections(self, room: Room, live: Sequence[SeenProcess]) -> Finding:
        one = connection_needs(self.settings, self.addresses, "worker")
        serve = connection_needs(self.settings, self.addresses, "serve").control
        warehouses = "".join(f", {most} to {name}" for name, most in one.warehouses.items() if most)
        each = f"a serve opens up to {serve}, a worker {one.control}; each {one.cache} to the cache{warehouses}"
        whose = "CONTROL_CONNECTIONS" if self.settings.stores.control_connections else "the server"
        said = f"{room.claimed} of {room.allowed} that {whose} allows are claimed by {len(live)} processes"
        detail = f"{each}; {said}, others hold {room.others}"
        if room.claimed > room.allowed:
            fix = "Lower CONTROL_POOL_SIZE, run fewer processes, or raise what is allowed (docs/operations.md)."
            return unwell("connections", detail, fix)
        return well("connections", f"{detail}; {_further(room, one.control)}")


def _further(room: Room, one: int) -> str:
    fitting = max(0, room.allowed - room.claimed) // one
    return f"{fitting} more workers fit" if fitting else "no further worker fits"


def processes_found(live: Sequence[SeenProcess]) -> Iterator[Finding]:
    """A finding for each; those that work by something else than the newest one are to be mended, and faulty ones."""
    if not live:
        yield well("processes", "none runs")
        return
    newest = _facts(max(live, key=lambda each: each.started_at))
    for each in live:
        yield _found(each, newest)


def _found(seen: SeenProcess, newest: dict[str, str]) -> Finding:
    process, facts = seen.process, _facts(seen)
    name = f"process {process.kind} {process.host}:{process.pid}"
    versions = ", ".join(f"{fact} {value or 'none'}" for fact, value in facts.items())
    since = f"since {seen.started_at.astimezone(UTC):%Y-%m-%d %H:%M} UTC, seen {seen.silent_seconds:.0f} s ago"
    detail = f"{versions}, {since}, up to {process.connections} connections"
    if seen.in_force.faults:
        faulty = " and ".join(seen.in_force.faults)
        fix = f"Mend the file of {faulty}: the process's log names each fault. It works by the last good one."
        return unwell(name, f"could not read {faulty} again; {detail}", fix)
    others = [fact for fact in _FACTS if facts[fact] != newest[fact]]
    if others:
        fix = "Finish the roll-out; bring the files of all to the same state, then 'countersign catalog reload'."
        return unwell(name, f"works by another {' and '.join(others)} than the newest process; {detail}", fix)
    return well(name, detail)


def _facts(seen: SeenProcess) -> dict[str, str]:
    told = seen.in_force
    return {"version": seen.process.version, "catalog": told.catalog, "policy": told.policy, "models": told.models}
