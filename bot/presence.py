"""That this process lives and what it works by, told to the others again and again."""

from dataclasses import dataclass

import structlog

from adapters.control.postgres.processes import InForce, PostgresProcesses, Process
from agent.errors import StoreFailed, StoreUnavailable
from bot.reloading import Reloads
from bot.switchboard import Switchboard

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Presence:
    """What `doctor` and the other processes know of this one."""

    store: PostgresProcesses
    process: Process
    reloads: Reloads
    switchboard: Switchboard

    async def beat(self) -> None:
        """Take over what was switched elsewhere, notice edited files, and say what is in force."""
        await self.switchboard.look()
        try:
            await self.store.beat(self.process, self._in_force())
        except (StoreUnavailable, StoreFailed) as error:
            log.warning("presence_not_told", code=error.code, detail=error.detail)

    def faults(self) -> frozenset[str]:
        """What of `catalog`, `policy` and `models` could not be read again: the last good one is in force."""
        return self.switchboard.faults | self.reloads.faults()

    def _in_force(self) -> InForce:
        versions = self.reloads.versions()
        return InForce(**versions, faults=tuple(sorted(self.faults())))
