"""The clean-up: what is past its time is closed, exported where it must be, and deleted."""

import asyncio
import json
import os
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import structlog

from adapters.control.postgres.audit import AuditEntry, PostgresAuditLog
from adapters.control.postgres.retention import Kept, PostgresRetention
from agent.codec import encode
from agent.ports import Clock
from bot.inbox import Inbox
from bot.ports import RunLists
from bot.run_events import BOT
from bot.settings import RetentionSettings
from bot.stopping import Stopping
from cards.errors import DeliveryRefused, DeliveryUnavailable
from semantic_catalog.errors import OperatorError

_CLOSED_AT_ONCE = 200

log = structlog.get_logger()


class ExportFailed(OperatorError):
    """The audit log could not be exported, so nothing of it was cut; `detail` is the error's class."""

    code = "export_failed"


def kept_of(days: RetentionSettings) -> Kept:
    """The settings as spans of time."""
    return Kept(
        runs=timedelta(days=days.run_days),
        checkpoints=timedelta(days=days.checkpoint_days),
        cards=timedelta(days=days.card_days),
        feedback=timedelta(days=days.feedback_days),
        personal=timedelta(days=days.memory_days),
        threads=timedelta(days=days.thread_days),
        events=timedelta(days=days.inbox_days),
        budgets=timedelta(days=days.budget_days),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """Keeps the control database within its bounds."""

    clock: Clock
    store: PostgresRetention
    lists: RunLists
    stopping: Stopping
    inbox: Inbox
    audit: PostgresAuditLog
    settings: RetentionSettings

    async def clean_up(self) -> dict[str, int]:
        """Close and delete what is past its time; how much of each kind. Doing it again is harmless.

        Raises `StoreUnavailable`, `ExportFailed`.
        """
        now = self.clock.now()
        closed = await self._close_stale(now)
        gone = await self.store.clean(now)
        await self.inbox.forget_jobs(timedelta(days=self.settings.inbox_days))
        cut = await self._cut_audit(now)
        done = {"closed": closed, **gone, "audit": cut}
        log.info("cleaned_up", **{name: count for name, count in done.items() if count})
        return done

    async def _close_stale(self, now: datetime) -> int:
        """Questions back that nobody answered; a card that cannot be redrawn stays as it is."""
        stale = await self.lists.stale(now - timedelta(days=self.settings.checkpoint_days), _CLOSED_AT_ONCE)
        for record in stale:
            try:
                await self.stopping.lapse(record)
            except (DeliveryUnavailable, DeliveryRefused) as error:
                log.warning("card_not_redrawn", run=record.run, code=error.code)
        return len(stale)

    async def _cut_audit(self, now: datetime) -> int:
        days, folder = self.settings.audit_days, self.settings.audit_export_dir
        return await export_audit(self.audit, now - timedelta(days=days), folder) if days and folder else 0


async def export_audit(audit: PostgresAuditLog, before: datetime, folder: Path) -> int:
    """Write what is older than the aware instant into a file of its own, then cut it; how many entries went.

    Raises `ExportFailed`: nothing is cut then.
    """
    last = await audit.last_before(before)
    if last is None:
        return 0
    await _export(await _up_to(audit, last), folder)
    return await audit.cut(last, BOT)


async def _up_to(audit: PostgresAuditLog, last: AuditEntry) -> list[AuditEntry]:
    found: list[AuditEntry] = []
    async for entry in audit.entries():
        if entry.id > last.id:
            break
        found.append(entry)
    return found


async def _export(entries: list[AuditEntry], folder: Path) -> None:
    lines = "".join(f"{json.dumps(encode(entry), ensure_ascii=False)}\n" for entry in entries)
    path = folder / f"audit-{entries[0].id}-{entries[-1].id}.jsonl"
    try:
        await asyncio.to_thread(_write, path, lines)
    except OSError as error:
        raise ExportFailed(type(error).__name__) from error


def _write(path: Path, text: str) -> None:
    """The file is whole and on the disk, or it is not there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part")
    with unfinished.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)
