"""`countersign demo playground`: the demo as a local Teams, without Azure."""

import asyncio
from typing import Annotated

import typer

from adapters.channels.teams.app import MESSAGES_PATH
from bot.commands.demo import EndDate, Scale, Seed, parameters_of
from bot.demo.playground import HOST, playground_settings, write_people
from bot.demo.setup import set_up
from bot.serving import run_service
from bot.settings import load_settings

Port = Annotated[int, typer.Option(min=1, max=65535, help="Port of this machine that the playground is told.")]


def playground(port: Port = 3978, end_date: EndDate = None, seed: Seed = 7, scale: Scale = 1) -> None:
    """Serve the demo on this machine to Microsoft's Agents Playground, as a local Teams.

    Whoever reaches the address is believed, so it is a loopback one.
    """
    settings = load_settings()
    set_up(settings.stores.data_dir, parameters_of(end_date, seed, scale))
    folder = write_people(settings.stores.data_dir / "playground").parent
    typer.echo(f"Countersign listens on http://{HOST}:{port}{MESSAGES_PATH}, without credentials. In another terminal:")
    typer.echo(f"  cd {folder}")
    typer.echo("  npx @microsoft/m365agentsplayground start -c msteams \\")
    typer.echo(f"    -e http://localhost:{port}{MESSAGES_PATH}")
    asyncio.run(run_service(http=True, worker=True, settings=playground_settings(settings, port)))
