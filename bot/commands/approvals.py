"""`countersign approvals`: approvals of kinds of questions that hold, and their end."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated

import typer

from adapters.control.postgres.audit import PostgresAuditLog
from adapters.control.postgres.connections import create_pool
from adapters.control.postgres.standing import PostgresStandingStore
from agent.values.standing import StandingApproval
from bot.addresses import addresses_of
from bot.clock import SystemClock
from bot.settings import load_settings
from bot.standing import StandingApprovals

approvals_app = typer.Typer(no_args_is_help=True, help="Approvals of kinds of questions that need no new signature.")

OPERATOR = "operator"
"""Who revokes from the shell, in the audit log."""


@approvals_app.command(name="list")
def list_approvals() -> None:
    """Print the approvals that hold: id, who gave it, for whom, where, until when, and the question it came from."""
    held = asyncio.run(_held())
    for approval in held:
        typer.echo(line_of(approval))
    if not held:
        typer.echo("No kind of question is approved once for all.")


@approvals_app.command()
def revoke(approval: Annotated[str, typer.Argument(help="The approval's id, as `list` prints it")]) -> None:
    """End an approval at once. Exits with 1 when none of that id holds."""
    ended = asyncio.run(_revoked(approval.upper()))
    if ended is None:
        typer.echo(f"No approval {approval.upper()} holds.")
        raise typer.Exit(1)
    typer.echo(f"Revoked: {line_of(ended)}")


def line_of(approval: StandingApproval) -> str:
    """An approval for a reader; times are UTC."""
    until = f"{approval.expires_at:%Y-%m-%d %H:%M}"
    whose = f"{approval.granted_by} for {approval.asker} in {approval.domain}"
    return f"{approval.id}  {whose} until {until}: {approval.title}"


async def _held() -> tuple[StandingApproval, ...]:
    async with _open() as approvals:
        return await approvals.in_force()


async def _revoked(approval: str) -> StandingApproval | None:
    async with _open() as approvals:
        return await approvals.revoke(approval, OPERATOR)


@asynccontextmanager
async def _open() -> AsyncIterator[StandingApprovals]:
    pool, clock = create_pool(addresses_of(load_settings()).control), SystemClock()
    try:
        log = PostgresAuditLog(pool, clock)
        yield StandingApprovals(store=PostgresStandingStore(pool), audit=log, clock=clock)
    finally:
        await pool.close()
