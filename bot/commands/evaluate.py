"""`countersign eval`: question sets with gold SQL, asked in one process and summed up."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console

from bot.demo.state import demo_state
from bot.evaluation.gold import GoldData
from bot.evaluation.items import Item, read_sets
from bot.evaluation.play import Played, Player
from bot.evaluation.show import document_of, show
from bot.settings import Settings, load_settings
from bot.terminal.session import session

Files = Annotated[list[Path], typer.Argument(help="Question sets: one JSON object a line")]
Out = Annotated[Path | None, typer.Option("--json", help="Write every turn and the summary into this file")]
Planner = Annotated[Literal["auto", "rules", "llm"], typer.Option("--planner", help="Who reads the questions")]
Owners = Annotated[list[str] | None, typer.Option("--owner-url", help="NAME=URL gold SQL of a domain runs on")]
Only = Annotated[list[str] | None, typer.Option("--only", help="Ids of the items to ask; all if not given")]


def evaluate(
    files: Files, out: Out = None, planner: Planner = "auto", owner_url: Owners = None, only: Only = None
) -> None:
    """Ask every question of the sets, compare with their gold SQL, and print the figures."""
    settings = load_settings()
    settings = replace(
        settings,
        analyst=settings.analyst.model_copy(update={"planner": planner}),
        budgets=settings.budgets.model_copy(update={"queries_per_day": 0, "tenant_queries_per_day": 0}),
    )
    items = tuple(item for item in read_sets(tuple(files)) if not only or item.id in only)
    played = asyncio.run(_played(settings, items, _owners(settings, owner_url or [])))
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(json.dumps(document_of(played), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    show(played, Console(width=160))


def _owners(settings: Settings, given: list[str]) -> Mapping[str, str]:
    """The owners' URLs by domain: those of the demo, unless others are given."""
    named = dict(_named(each) for each in given)
    if named:
        return named
    return {domain.name: domain.owner_url for domain in demo_state(settings.stores.data_dir).domains}


def _named(written: str) -> tuple[str, str]:
    name, mark, url = written.partition("=")
    if not mark:
        raise typer.BadParameter("write --owner-url NAME=URL")
    return name, url


async def _played(settings: Settings, items: tuple[Item, ...], owners: Mapping[str, str]) -> list[Played]:
    quiet = Console(quiet=True)
    async with session(settings, quiet, settings.analyst.out_dir / "eval") as opened:
        player = Player(opened, GoldData(owners))
        return [turn for item in items async for turn in player.play(item)]
