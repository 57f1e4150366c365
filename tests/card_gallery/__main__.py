"""`python -m tests.card_gallery`: draws every card into docs/pictures/cards. Needs Node, npm and a Chromium."""

import asyncio
import json
import shutil
import subprocess
from io import BytesIO
from pathlib import Path
from typing import Final

import typer
from PIL import Image

from adapters.channels.console.local_files import LocalFiles
from bot.bootstrap import DEMO_POLICY, product
from bot.logs import configure_logs
from bot.settings import Settings
from bot.terminal.session import Session
from tests.bench.stage import stage
from tests.card_gallery.kept import KeepingChannel
from tests.card_gallery.pieces import pieces
from tests.card_gallery.scenes import Talk, scenes
from tests.services import demo_data

WEB: Final = Path(__file__).parent / "web"
OUT: Final = Path("out/card-gallery")
PICTURES: Final = Path("docs/pictures/cards")
DOMAINS: Final = ("payments", "erp_finance", "scrap_prices")
WIDTH: Final = 960
COLOURS: Final = (96, 48, 24, 12)
MOST_BYTES: Final = 140_000


def draw(chromium: str = "chromium") -> None:
    """Hold the conversation, draw what it brought, and keep the pictures small."""
    configure_logs("CRITICAL")
    OUT.mkdir(parents=True, exist_ok=True)
    with stage(OUT) as on:
        urls = {name: demo_data().domain(name).reader_url for name in DOMAINS}
        settings = on.settings(warehouse_urls=urls, policy_file=DEMO_POLICY, data_dir=OUT / "data")
        drawn = asyncio.run(_pieces(settings))
    (OUT / "pieces.json").write_text(json.dumps(drawn, ensure_ascii=False), encoding="utf-8")
    _draw_in_a_browser(chromium)
    shutil.rmtree(PICTURES, ignore_errors=True)
    PICTURES.mkdir(parents=True)
    for piece in drawn:
        (PICTURES / f"{piece['name']}.png").write_bytes(_small(OUT / "drawn" / f"{piece['name']}.png"))


async def _pieces(settings: Settings) -> list[dict[str, object]]:
    channel = KeepingChannel(OUT / "files")
    async with product(settings, lambda _: {"console": channel}, {"console": LocalFiles()}) as built:
        talk = Talk(session=Session(built, channel), channel=channel, folder=OUT)
        return pieces(await scenes(talk))


def _draw_in_a_browser(chromium: str) -> None:
    web = OUT / "web"
    shutil.copytree(WEB, web, dirs_exist_ok=True)
    installing = ["npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--silent"]
    subprocess.run(installing, cwd=web, check=True)
    found = shutil.which(chromium)
    if found is None:
        raise typer.BadParameter(f"no {chromium} here", param_hint="--chromium")
    shutil.rmtree(OUT / "drawn", ignore_errors=True)
    subprocess.run(["node", "draw.mjs", "../pieces.json", "../drawn", found], cwd=web, check=True)


def _small(path: Path) -> bytes:
    """The picture at the width of a page, in as many colours as `MOST_BYTES` hold."""
    with Image.open(path) as opened:
        picture = opened.convert("RGB")
    picture.thumbnail((WIDTH, 4 * WIDTH), Image.Resampling.LANCZOS)
    written = [_encoded(picture, colours) for colours in COLOURS]
    return next((content for content in written if len(content) <= MOST_BYTES), written[-1])


def _encoded(picture: Image.Image, colours: int) -> bytes:
    written = BytesIO()
    picture.quantize(colours, dither=Image.Dither.NONE).save(written, "PNG", optimize=True)
    return written.getvalue()


if __name__ == "__main__":
    typer.run(draw)
