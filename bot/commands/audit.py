"""`countersign audit`: whether the record of what happened is whole."""

import asyncio

import typer

from adapters.control.postgres.audit import PostgresAuditLog
from adapters.control.postgres.connections import create_pool
from bot.addresses import addresses_of
from bot.clock import SystemClock
from bot.settings import load_settings

audit_app = typer.Typer(no_args_is_help=True, help="The append-only, hash-chained record of every run.")


@audit_app.callback()
def _group() -> None:
    """The append-only, hash-chained record of every run."""


@audit_app.command()
def verify() -> None:
    """Recompute the hash chain. Exits with 1 and names the first broken entry."""
    broken = asyncio.run(_first_broken())
    if broken is not None:
        typer.echo(f"The chain breaks at entry {broken}: it or one before it was changed or removed.")
        raise typer.Exit(1)
    typer.echo("The chain is whole.")


async def _first_broken() -> int | None:
    pool = create_pool(addresses_of(load_settings()).control)
    try:
        return await PostgresAuditLog(pool, SystemClock()).verify()
    finally:
        await pool.close()
