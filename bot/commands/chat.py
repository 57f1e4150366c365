"""`countersign chat`: a conversation in the terminal."""

import asyncio
from typing import Annotated

import typer
from rich.console import Console

from bot.settings import load_settings
from bot.terminal.chat import chat_with
from bot.terminal.session import new_thread, session

Role = Annotated[str, typer.Option("--as", help="The role to ask as")]
Thread = Annotated[str, typer.Option("--thread", help="The thread to go on with; a new one if not given")]


def chat(role: Role = "analyst", thread: Thread = "") -> None:
    """Chat in the terminal. Keys press buttons; q leaves."""
    asyncio.run(_chat(role, thread or new_thread()))


async def _chat(role: str, thread: str) -> None:
    console = Console()
    async with session(load_settings(), console) as opened:
        await chat_with(opened, role, thread)
