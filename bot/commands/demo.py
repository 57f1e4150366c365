"""`countersign demo`: the embedded services and the demo data."""

from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Annotated

import typer

from bot import embedded
from bot.demo.parameters import DemoParameters
from bot.demo.setup import set_up
from bot.demo.state import DemoState, read_state
from bot.settings import load_settings

demo_app = typer.Typer(no_args_is_help=True, help="The embedded services and the demo data.")

Folder = Annotated[Path | None, typer.Option("--folder", help="Where the services keep their data; DATA_DIR.")]
EndDate = Annotated[
    datetime | None, typer.Option("--end-date", formats=["%Y-%m-%d"], help="The last day with data; default yesterday.")
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="The same seed gives the same data.")]
Scale = Annotated[int, typer.Option("--scale", min=1, help="Multiplies the number of transactions.")]


@demo_app.command()
def up(end_date: EndDate = None, seed: Seed = 7, scale: Scale = 1, folder: Folder = None) -> None:
    """Start the services, load the data unless it is there, and print the connection URLs."""
    state = set_up(_data_folder(folder), parameters_of(end_date, seed, scale))
    for name, url in connection_lines(state):
        typer.echo(f"{name}={url}")


@demo_app.command()
def status(folder: Folder = None) -> None:
    """Print which services answer and which data is loaded. Exits with 1 when one does not answer."""
    home = _data_folder(folder)
    found = embedded.status(home)
    typer.echo(f"postgres={found.postgres or 'down'}")
    typer.echo(f"valkey={found.valkey or 'down'}")
    state = read_state(home)
    needs_mariadb = state is not None and any(domain.dialect == "mysql" for domain in state.domains)
    if found.mariadb or needs_mariadb:
        typer.echo(f"mariadb={found.mariadb or 'down'}")
    if state is not None:
        typer.echo(f"end_date={state.end_date}")
        typer.echo(f"seed={state.parameters.seed}")
        typer.echo(f"scale={state.parameters.scale}")
    if not (found.postgres and found.valkey and (found.mariadb or not needs_mariadb)):
        raise typer.Exit(1)


@demo_app.command()
def down(folder: Folder = None) -> None:
    """Stop the services; their data stays."""
    embedded.stop(_data_folder(folder))


def parameters_of(end_date: datetime | None, seed: int, scale: int) -> DemoParameters:
    """The demo data that the options ask for; it ends yesterday unless they say when."""
    return DemoParameters(end_date=end_date.date() if end_date else _yesterday(), seed=seed, scale=scale)


def connection_lines(state: DemoState) -> tuple[tuple[str, str], ...]:
    """The URLs by name: the control store, the cache, and for each domain its read-only and its owner's URL."""
    domains = [
        line
        for domain in state.domains
        for line in ((domain.name, domain.reader_url), (f"{domain.name}_owner", domain.owner_url))
    ]
    return (("control", state.control_url), ("cache", state.cache_url), *domains)


def _data_folder(named: Path | None) -> Path:
    return named or load_settings().stores.data_dir


def _yesterday() -> date:
    return datetime.now().astimezone().date() - timedelta(days=1)
