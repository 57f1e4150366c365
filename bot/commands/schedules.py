"""`countersign schedules`: what comes again and again, and running what is due in terminals."""

import asyncio
from typing import Annotated

import typer
from rich.console import Console

from adapters.control.postgres.connections import create_pool
from adapters.control.postgres.schedules import PostgresScheduleStore
from agent.values.identity import PrincipalId
from agent.values.schedule import Schedule
from agent.wording.schedules import recurrence_said
from bot.addresses import addresses_of
from bot.settings import load_settings
from bot.terminal.session import session

schedules_app = typer.Typer(no_args_is_help=True, help="Answers that come again and again.")


@schedules_app.command(name="list")
def list_schedules(
    role: Annotated[str, typer.Option("--as", help="Whose schedules, by their id in the policy")],
) -> None:
    """Print a person's schedules: id, state, when, what."""
    schedules = asyncio.run(_of(PrincipalId(role)))
    for schedule in schedules:
        typer.echo(line_of(schedule))
    if not schedules:
        typer.echo("No schedules.")


@schedules_app.command()
def run() -> None:
    """Run what is due of the schedules made in terminals, each time once. Those of Slack and Teams run in workers."""
    ran = asyncio.run(_ran())
    typer.echo(f"{ran} due.")


def line_of(schedule: Schedule) -> str:
    """A schedule for a reader; the next time is UTC."""
    state = f"next {schedule.due_at:%Y-%m-%d %H:%M}" if schedule.status == "active" else schedule.status
    return f"{schedule.id}  {state}  {recurrence_said(schedule.recurrence, 'en')}: {schedule.title}"


async def _of(person: PrincipalId) -> tuple[Schedule, ...]:
    pool = create_pool(addresses_of(load_settings()).control)
    try:
        return await PostgresScheduleStore(pool).of(person)
    finally:
        await pool.close()


async def _ran() -> int:
    async with session(load_settings(), Console()) as opened:
        return len(await opened.run_due())
