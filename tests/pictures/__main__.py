"""`python -m tests.pictures`: holds a conversation in three languages and draws docs/pictures from it."""

import asyncio
import io
import re
from pathlib import Path

import typer
from rich.console import Console
from rich.text import Text

from bot.logs import configure_logs
from bot.terminal.conversation import Approval, ask_once
from bot.terminal.session import session
from tests.bench.stage import Stage, stage

PICTURES = Path("docs/pictures")
OUT = Path("out")
WIDTH = 112
SCENES = {
    "conversation": (("What was the approval rate of the last seven days by channel?", "approve"),),
    "clarification": (("approval rate of Visa", "leave"),),
    "refusal": (("borra las transacciones rechazadas de ayer", "leave"),),
}
"""What is said in each picture, and what is done with its proposal."""


def draw() -> None:
    """Draw every picture again."""
    configure_logs("ERROR")
    PICTURES.mkdir(parents=True, exist_ok=True)
    with stage(OUT) as on:
        for name in SCENES:
            asyncio.run(_draw(on, name))


async def _draw(on: Stage, name: str) -> None:
    console = Console(record=True, width=WIDTH, file=io.StringIO())
    async with session(on.settings(), console) as opened:
        for question, doing in SCENES[name]:
            console.print(Text.assemble(("ana", "bold"), f": {question}\n"))
            approval = Approval(kind="approve" if doing == "approve" else "leave")
            await ask_once(opened, question, role="ana", thread=name, approval=approval)
    drawn = console.export_svg(title="countersign chat")
    (PICTURES / f"{name}.svg").write_text(_without_web_fonts(drawn), encoding="utf-8")


def _without_web_fonts(svg: str) -> str:
    """A picture loads nothing from anywhere."""
    return re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)


if __name__ == "__main__":
    typer.run(draw)
