"""Makes the zip that is uploaded to Teams: the manifest with your ids and your catalog's questions, and the two icons.

    python -m deploy.teams.package --app-id GUID --host countersign.example.com --developer "Your company" \
        --website https://example.com
"""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit
from uuid import UUID
from zipfile import ZIP_DEFLATED, ZipFile

import typer

from deploy.teams.commands import command_lists
from semantic_catalog.load import load_catalog

FOLDER = Path(__file__).resolve().parent
Language = Literal["en", "es", "ru"]
ICONS = ("color.png", "outline.png")

_HOST = re.compile(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")

app = typer.Typer(add_completion=False)


def filled_manifest(
    *,
    app_id: UUID,
    host: str,
    developer: str,
    website: str,
    privacy: str,
    terms: str,
    commands: Sequence[Mapping[str, Any]] = (),
    hears_threads: bool = True,
) -> str:
    """The manifest with every placeholder filled. The app and its bot share one Microsoft app id.

    `commands` are its command lists. Without `hears_threads` it asks no owner for the permission to read what is
    written in teams and chats: people name the bot in every message there.

    Raises ValueError for a host with a scheme or path, and for an address that is not https.
    """
    if not _HOST.fullmatch(host):
        raise ValueError(f"{host} is not a host name")
    for address in (website, privacy, terms):
        if urlsplit(address).scheme != "https" or not urlsplit(address).hostname:
            raise ValueError(f"{address} is not an https address")
    fields = {
        "APP_ID": str(app_id),
        "BOT_ID": str(app_id),
        "HOST": host,
        "DEVELOPER_NAME": developer,
        "WEBSITE_URL": website,
        "PRIVACY_URL": privacy,
        "TERMS_URL": terms,
    }
    in_json = {name: json.dumps(value, ensure_ascii=False)[1:-1] for name, value in fields.items()}
    # `$schema` is a key of the format, not a placeholder.
    text = (FOLDER / "manifest.json").read_text(encoding="utf-8").replace('"$schema"', '"$$schema"')
    manifest: dict[str, Any] = json.loads(Template(text).substitute(in_json))
    if commands:
        manifest["bots"][0]["commandLists"] = list(commands)
    if not hears_threads:
        del manifest["authorization"], manifest["webApplicationInfo"]
    return json.dumps(manifest, ensure_ascii=False, indent=2) + "\n"


def write_package(manifest: str, target: Path) -> None:
    """Write the zip: the manifest and the icons at its top level."""
    with ZipFile(target, "w", ZIP_DEFLATED) as package:
        package.writestr("manifest.json", manifest)
        for icon in ICONS:
            package.write(FOLDER / icon, icon)


@app.command()
def package(
    app_id: Annotated[UUID, typer.Option(help="Microsoft app id of the Azure Bot.")],
    host: Annotated[str, typer.Option(help="Host of PUBLIC_BASE_URL, without https.")],
    developer: Annotated[str, typer.Option(help="Your company.")],
    website: Annotated[str, typer.Option(help="Your https website.")],
    privacy: Annotated[str | None, typer.Option(help="Privacy statement; the website by default.")] = None,
    terms: Annotated[str | None, typer.Option(help="Terms of use; the website by default.")] = None,
    catalog: Annotated[Path | None, typer.Option(help="Folder of the catalog's domains; the packaged ones.")] = None,
    locale: Annotated[Language, typer.Option(help="Language of the questions and words that Teams offers.")] = "en",
    hears_threads: Annotated[
        bool, typer.Option("--hears-threads/--mentions-only", help="Ask owners for the permission to read messages.")
    ] = True,
    out: Annotated[Path, typer.Option(help="The zip to write.")] = Path("countersign-teams.zip"),
) -> None:
    """Write the app package."""
    try:
        manifest = filled_manifest(
            app_id=app_id,
            host=host,
            developer=developer,
            website=website,
            privacy=privacy or website,
            terms=terms or website,
            commands=command_lists(load_catalog(catalog), locale),
            hears_threads=hears_threads,
        )
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    write_package(manifest, out)
    typer.echo(str(out))


if __name__ == "__main__":
    app()
