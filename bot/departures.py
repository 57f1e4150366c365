"""A workspace that removed the app: what waits there ends, for its cards can no longer be pressed or redrawn."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import structlog

from agent.values.governance import Decision
from agent.values.identity import PrincipalId, TenantId, ThreadKey
from agent.values.outcome import Proposal, RunRecord
from bot.deciding import Deciding
from bot.ports import RunLists
from bot.run_events import BOT, RunEvent
from bot.schedules.desk import Schedules

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Departures:
    """Ends what waits where nothing can be posted any more. Repeating it is harmless."""

    lists: RunLists
    deciding: Deciding
    schedules: Schedules

    async def left(self, tenants: Iterable[str]) -> None:
        """Expire what waits in these Slack workspaces and pause their schedules. Raises `StoreUnavailable`."""
        for tenant in tenants:
            waiting = await self.lists.waiting_in(f"slack:{tenant}:")
            for record in waiting:
                await self._end(record)
            paused = await self.schedules.pause_tenant("slack", TenantId(tenant))
            log.info("workspace_left", tenant=tenant, expired=len(waiting), paused=paused)

    async def _end(self, record: RunRecord) -> None:
        desk, now = self.deciding.desk, self.deciding.desk.deps.clock.now()
        if isinstance(record.pending, Proposal) and record.status == "awaiting_approval":
            ended = replace(record, expires_at=now)
            await desk.runs.update(ended)
            proposal = record.pending
            decision = Decision(
                kind="expire", by=PrincipalId(BOT), at=now, fingerprint=proposal.fingerprint, revision=proposal.revision
            )
            await self.deciding.close(ended, decision, redrawn=False)
            return
        await desk.note(record.run, RunEvent(name="expired", by=BOT, facts={}, once="end"))
        await desk.runs.update(replace(record, status="rejected"))
        await desk.driver.forget(ThreadKey(record.thread), record.run)
