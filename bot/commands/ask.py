"""`countersign ask`: one question from the shell, in words or as one JSON object."""

import asyncio
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from agent.values.file import FileRefused
from agent.wording.texts import say
from bot.settings import Settings, load_settings
from bot.terminal.conversation import Approval, ask_once
from bot.terminal.report import EXIT_CODES, Asked, exit_code, report_of
from bot.terminal.session import new_thread, session
from cards.build.file import file_refused_text

Question = Annotated[str, typer.Argument(help="The question, in English, Spanish or Russian")]
Role = Annotated[str, typer.Option("--as", help="The role to ask as")]
Thread = Annotated[str, typer.Option("--thread", help="The thread to ask in; a new one if not given")]
Approve = Annotated[bool, typer.Option("--approve", help="Approve: the asker where the policy lets them, else another")]
Reject = Annotated[bool, typer.Option("--reject", help="Reject the proposal")]
Pending = Annotated[bool, typer.Option("--pending", help="Leave the proposal open (as without any of these)")]
ApproveAs = Annotated[str, typer.Option("--approve-as", help="The role that approves")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of cards")]
File = Annotated[Path | None, typer.Option("--file", exists=True, dir_okay=False, help="A CSV or workbook")]
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
    file: File = None,
) -> None:
    """Ask one question. Exit code: 0 answered or waiting, 1 failed, 2 refused, 3 rejected.

    A file is given to the thread and confirmed as it was read: the thread's next questions may be about it too.
    """
    approving = approve or bool(approve_as)
    if approving + reject + pending > 1:
        raise typer.BadParameter("choose one of --approve, --reject and --pending")
    approval = Approval(kind="approve" if approving else "reject" if reject else "leave", by=approve_as or None)
    console = Console(stderr=as_json, quiet=as_json)
    asking = Asking(question=question, role=role, thread=thread or new_thread(), approval=approval, out=out)
    asked = asyncio.run(_asked(load_settings(), console, asking, file))
    if isinstance(asked, FileRefused):
        raise typer.Exit(_refused(asked, asking, file, as_json))
    if as_json:
        sys.stdout.write(json.dumps(report_of(asked), ensure_ascii=False) + "\n")
    raise typer.Exit(exit_code(asked))


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """What is asked, by whom, where, and what is done with a proposal."""

    question: str
    role: str
    thread: str
    approval: Approval
    out: Path | None


async def _asked(settings: Settings, console: Console, asking: Asking, file: Path | None) -> Asked | FileRefused:
    async with session(settings, console, asking.out) as opened:
        if file is not None:
            given = await opened.give(file, asking.role, asking.thread, asking.question)
            if isinstance(given, FileRefused):
                return given
            console.print(say(given.locale, "file.confirmed_as_read", name=given.name))
        return await ask_once(opened, asking.question, role=asking.role, thread=asking.thread, approval=asking.approval)


def _refused(refused: FileRefused, asking: Asking, file: Path | None, as_json: bool) -> int:
    """Says it as the one JSON object where that is wanted; returns the exit code of a refusal."""
    if as_json:
        message = file_refused_text(file.name if file else "", refused, load_settings().analyst.default_locale)
        refusal = {"rule": f"file_{refused.reason}", "message": message}
        told = {"thread_id": asking.thread, "status": "refused", "turn_type": "file_analysis", "refusal": refusal}
        sys.stdout.write(json.dumps(told, ensure_ascii=False) + "\n")
    return EXIT_CODES["refused"]
