"""`countersign ask`: one question from the shell, in words or as one JSON object."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from bot.settings import Settings, load_settings
from bot.terminal.conversation import Approval, ask_once
from bot.terminal.report import Asked, exit_code, report_of
from bot.terminal.session import new_thread, session

Question = Annotated[str, typer.Argument(help="The question, in English, Spanish or Russian")]
Role = Annotated[str, typer.Option("--as", help="The role to ask as")]
Thread = Annotated[str, typer.Option("--thread", help="The thread to ask in; a new one if not given")]
Approve = Annotated[bool, typer.Option("--approve", help="Approve: the asker where the policy lets them, else another")]
Reject = Annotated[bool, typer.Option("--reject", help="Reject the proposal")]
Pending = Annotated[bool, typer.Option("--pending", help="Leave the proposal open (as without any of these)")]
ApproveAs = Annotated[str, typer.Option("--approve-as", help="The role that approves")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of cards")]
Out = Annotated[Path | None, typer.Option("--out", help="Folder for charts and workbooks")]


def ask(
    question: Question,
    role: Role = "analyst",
    thread: Thread = "",
    approve: Approve = False,
    reject: Reject = False,
    pending: Pending = False,
    approve_as: ApproveAs = "",
    as_json: AsJson = False,
    out: Out = None,
) -> None:
    """Ask one question. Exit code: 0 answered or waiting, 1 failed, 2 refused, 3 rejected."""
    approving = approve or bool(approve_as)
    if approving + reject + pending > 1:
        raise typer.BadParameter("choose one of --approve, --reject and --pending")
    approval = Approval(kind="approve" if approving else "reject" if reject else "leave", by=approve_as or None)
    asked = asyncio.run(_asked(load_settings(), question, role, thread, approval, as_json, out))
    if as_json:
        sys.stdout.write(json.dumps(report_of(asked), ensure_ascii=False) + "\n")
    raise typer.Exit(exit_code(asked))


async def _asked(
    settings: Settings, question: str, role: str, thread: str, approval: Approval, silent: bool, out: Path | None
) -> Asked:
    console = Console(stderr=silent, quiet=silent)
    async with session(settings, console, out) as opened:
        return await ask_once(opened, question, role=role, thread=thread or new_thread(), approval=approval)
