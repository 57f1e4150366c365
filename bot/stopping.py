"""Stops what a person asked for: a running query ends, what waits is withdrawn."""

from dataclasses import dataclass, replace

import structlog

from agent.errors import CacheUnavailable
from agent.values.governance import Decision
from agent.values.identity import Principal, ThreadKey
from agent.values.outcome import Clarification, Proposal, Rejected, RunRecord
from bot.deciding import Deciding
from bot.ports import CancelRequests
from bot.run_desk import RunDesk
from bot.run_events import BOT, RunEvent
from cards.build.decided import rejected_card

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopping:
    """Ends runs at whatever point they are."""

    desk: RunDesk
    deciding: Deciding
    cancels: CancelRequests

    async def withdraw(self, record: RunRecord, by: Principal) -> bool:
        """End the run; False when it ended or was decided by itself meanwhile."""
        match record.pending:
            case Proposal() if record.status == "awaiting_approval":
                return await self.deciding.close(record, self._cancelled(record.pending, by))
            case Clarification() if record.status == "needs_clarification":
                await self._drop_question(record, by)
                return True
            case _:
                await self.stop(record)
                return True

    async def stop(self, record: RunRecord) -> None:
        """Ask whichever process runs it; without the cache only a query of this process can be stopped."""
        event = RunEvent(name="stop_asked", by=record.asker, facts={}, once="stop_asked")
        await self.desk.note(record.run, event)
        try:
            await self.cancels.request_cancel(record.run)
        except CacheUnavailable as error:
            log.warning("stop_not_passed_on", code=error.code, detail=error.detail)
        if record.domain is not None:
            await self.desk.deps.warehouses.of(record.domain).cancel(record.run)

    def _cancelled(self, proposal: Proposal, by: Principal) -> Decision:
        return Decision(
            kind="cancel",
            by=by.id,
            at=self.desk.deps.clock.now(),
            fingerprint=proposal.fingerprint,
            by_name=by.display_name or by.id,
            revision=proposal.revision,
        )

    async def lapse(self, record: RunRecord) -> None:
        """Close a run that nobody went on with: its question back says so, and nothing is kept of where it stood."""
        ended = Rejected(run=record.run, locale=record.locale, kind="expire", by_name="", at=self.desk.deps.clock.now())
        await self.desk.note(record.run, RunEvent(name="expired", by=BOT, facts={}, once="end"))
        await self.desk.runs.update(replace(record, status="rejected"))
        await self.desk.driver.forget(ThreadKey(record.thread), record.run)
        if record.status == "needs_clarification":
            await self.desk.redraw(record, rejected_card(ended))

    async def _drop_question(self, record: RunRecord, by: Principal) -> None:
        now, name = self.desk.deps.clock.now(), by.display_name or by.id
        ended = Rejected(run=record.run, locale=record.locale, kind="cancel", by_name=name, at=now)
        await self.desk.note(record.run, RunEvent(name="cancelled", by=by.id, facts={}, once="end"))
        await self.desk.redraw(record, rejected_card(ended))
        await self.desk.runs.update(replace(record, status="rejected"))
        await self.desk.driver.forget(ThreadKey(record.thread), record.run)
