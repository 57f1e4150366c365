"""`countersign demo run`: everything embedded, one whole conversation, then a chat where there is a terminal."""

import asyncio
import sys

from rich.console import Console

from bot.commands.demo import EndDate, Scale, Seed, parameters_of
from bot.demo.setup import set_up
from bot.settings import Settings, load_settings
from bot.terminal.chat import chat_with
from bot.terminal.conversation import Approval, ask_once
from bot.terminal.session import Session, new_thread, session

QUESTIONS = (
    "What was the approval rate of the last seven days by channel?",
    "¿Cuál fue la tasa de aprobación de los últimos siete días por canal?",
)
ROLE = "analyst"


def run(end_date: EndDate = None, seed: Seed = 7, scale: Scale = 1) -> None:
    """Set up what is missing, hold the scripted conversation, and go on as a chat when somebody is there."""
    settings = load_settings()
    console = Console()
    with console.status("Starting PostgreSQL and Valkey, loading the demo data"):
        set_up(settings.stores.data_dir, parameters_of(end_date, seed, scale))
    asyncio.run(_converse(settings, console))


async def _converse(settings: Settings, console: Console) -> None:
    async with session(settings, console) as opened:
        thread = new_thread()
        for question in QUESTIONS:
            await _show(opened, console, question, thread)
        if sys.stdin.isatty():
            await chat_with(opened, ROLE, thread)


async def _show(opened: Session, console: Console, question: str, thread: str) -> None:
    console.print(f"\n[bold]{ROLE}[/bold]: {question}\n")
    await ask_once(opened, question, role=ROLE, thread=thread, approval=Approval(kind="approve"))
