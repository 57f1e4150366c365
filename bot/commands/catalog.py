"""`countersign catalog`: checks and searches the semantic catalog."""

from pathlib import Path
from typing import Annotated

import typer

from agent.wording.texts import say
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
