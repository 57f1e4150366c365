"""`countersign audit`: whether the record of what happened is whole, and what it says."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Annotated, Any, TypeVar

import typer

from adapters.control.postgres.audit import AuditEntry, PostgresAuditLog
from adapters.control.postgres.connections import create_pool
from agent.codec import encode
from bot.addresses import addresses_of
from bot.clock import SystemClock
from bot.settings import load_settings

audit_app = typer.Typer(no_args_is_help=True, help="The append-only, hash-chained record of every run.")

Result = TypeVar("Result")
Run = Annotated[str, typer.Argument(help="A run's id ('Reference …'), or its first letters")]
Since = Annotated[
    datetime | None,
    typer.Option(formats=["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"], help="From this day or instant on, in UTC"),
]


@audit_app.callback()
def _group() -> None:
    """The append-only, hash-chained record of every run."""


@audit_app.command()
def verify() -> None:
    """Recompute the hash chain. Exits with 1 and names the first broken entry."""
    broken = asyncio.run(_with_log(lambda log: log.verify()))
    if broken is not None:
        typer.echo(f"The chain breaks at entry {broken}: it or one before it was changed or removed.")
        raise typer.Exit(1)
    typer.echo("The chain is whole.")


@audit_app.command()
def show(run: Run) -> None:
    """Print what happened to a run, an event a line. Exits with 1 when none or several begin like that."""
    entries = asyncio.run(_with_log(lambda log: _all(log, run.upper())))
    runs = sorted({entry.run for entry in entries})
    if len(runs) != 1:
        typer.echo(f"{len(runs)} runs begin with {run.upper()}" + (f": {', '.join(runs)}" if runs else "."))
        raise typer.Exit(1)
    for entry in entries:
        typer.echo(line_of(entry))


@audit_app.command()
def export(since: Since = None) -> None:
    """Print the log, one JSON object a line, oldest first."""
    asyncio.run(_with_log(lambda log: _print(log, since.replace(tzinfo=UTC) if since else None)))


def line_of(entry: AuditEntry) -> str:
    """An event for a reader: when (UTC), what, by whom, and its facts."""
    facts = " ".join(f"{name}={_fact(value)}" for name, value in entry.facts.items())
    return f"{entry.at.astimezone(UTC):%Y-%m-%d %H:%M:%S}  {entry.event:<12}  {entry.by:<16}  {facts}".rstrip()


def _fact(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


async def _with_log(use: Callable[[PostgresAuditLog], Awaitable[Result]]) -> Result:
    async with _open_log() as log:
        return await use(log)


@asynccontextmanager
async def _open_log() -> AsyncIterator[PostgresAuditLog]:
    pool = create_pool(addresses_of(load_settings()).control)
    try:
        yield PostgresAuditLog(pool, SystemClock())
    finally:
        await pool.close()


async def _all(log: PostgresAuditLog, run: str) -> list[AuditEntry]:
    return [entry async for entry in log.entries(run)]


async def _print(log: PostgresAuditLog, since: datetime | None) -> None:
    async for entry in log.entries(since=since):
        typer.echo(json.dumps(encode(entry), ensure_ascii=False))
