"""`countersign catalog`: checks and searches the semantic catalog."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from adapters.control.postgres.connections import create_pool
from adapters.control.postgres.processes import PostgresProcesses
from adapters.control.postgres.switches import PostgresSwitches
from agent.wording.texts import say
from bot.addresses import addresses_of
from bot.bootstrap import DEMO_POLICY
from bot.clock import SystemClock
from bot.settings import Settings, load_settings
from bot.sources import PolicyFile
from bot.switchboard import CATALOG, want_reload
from semantic_catalog.load import CheckedCatalog, check_catalog, load_catalog
from semantic_catalog.model import Domain, Locale
from semantic_catalog.search import Hit, search_catalog

catalog_app = typer.Typer(no_args_is_help=True, help="Checks and searches the semantic catalog.")

FolderArgument = Annotated[
    Path | None, typer.Argument(exists=True, file_okay=False, help="Folder of domains; the packaged one if left out.")
]
FolderOption = Annotated[
    Path | None, typer.Option(exists=True, file_okay=False, help="Folder of domains; the packaged one if left out.")
]
LocaleOption = Annotated[Locale, typer.Option(help="Language of the words and of what is printed.")]


@catalog_app.command()
def validate(folder: FolderArgument = None, locale: LocaleOption = "en") -> None:
    """Print every fault of a catalog with its file and line; exit 1 when it cannot be used."""
    checked = check_catalog(folder)
    for issue in checked.issues:
        typer.echo(str(issue))
    for domain in checked.catalog.domains:
        typer.echo(_summary(domain, locale))
    typer.echo(_verdict(checked, locale))
    if checked.errors:
        raise typer.Exit(1)


@catalog_app.command()
def reload() -> None:
    """Let every running process read CATALOG_DIR again, within seconds; exit 1 for a faulty one, which nobody reads.

    The policy has to bear it out too.
    """
    typer.echo(asyncio.run(reload_everywhere(load_settings())))


async def reload_everywhere(settings: Settings) -> str:
    """Ask for it; what is said then. Raises `CatalogError`, `PolicyError` and `StoreUnavailable`: nobody is asked."""
    analyst = settings.analyst
    catalog = load_catalog(analyst.catalog_dir)
    PolicyFile(analyst.policy_file or DEMO_POLICY, analyst.caps(), catalog)
    pool = create_pool(addresses_of(settings).control, max_connections=1)
    try:
        await want_reload(PostgresSwitches(pool), CATALOG, "shell", SystemClock().now())
        live = sum(seen.is_live for seen in await PostgresProcesses(pool).all())
    finally:
        await pool.close()
    return (
        f"Version {catalog.version}: {live} running processes read it within seconds. "
        "'countersign doctor' says by which version each of them works."
    )


@catalog_app.command()
def search(
    words: Annotated[list[str], typer.Argument(help="What to look for.")],
    locale: LocaleOption = "en",
    limit: Annotated[int, typer.Option(min=1, help="At most so many lines.")] = 10,
    folder: FolderOption = None,
) -> None:
    """Print what the catalog offers near the words, best first; exit 1 when nothing is near."""
    asked = " ".join(words)
    hits = search_catalog(load_catalog(folder), asked, locale, limit)
    for hit in hits:
        typer.echo(_line(hit, locale))
    if not hits:
        typer.echo(say(locale, "catalog.nothing_found", words=asked))
        raise typer.Exit(1)


def _summary(domain: Domain, locale: Locale) -> str:
    return say(
        locale,
        "catalog.summary",
        domain=domain.names.in_locale(locale),
        metrics=len(domain.metrics),
        dimensions=len(domain.dimensions),
        sources=len(domain.entities),
        examples=len(domain.examples),
        trusted=len(domain.trusted_queries),
    )


def _verdict(checked: CheckedCatalog, locale: Locale) -> str:
    if not checked.errors:
        return say(locale, "catalog.valid", version=checked.catalog.version)
    return say(locale, "catalog.invalid", count=len(checked.errors))


def _line(hit: Hit, locale: Locale) -> str:
    kind = say(locale, f"catalog.kind_{hit.kind}")
    place = ".".join(filter(None, [hit.domain, hit.dimension, "" if hit.kind == "example" else hit.name]))
    return f"{hit.score:5.1f}  {kind:<12}  {hit.label}  ({place})"
