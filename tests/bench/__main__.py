"""`python -m tests.bench [NAME…]`: measures, prints a table and writes out/bench.json."""

import asyncio
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from bot.logs import configure_logs
from tests.bench.figures import document, record
from tests.bench.measuring import Row
from tests.bench.report import report_of, table_of
from tests.bench.stage import Stage, stage
from tests.bench.subjects import FULL, SUBJECTS

Names = Annotated[list[str] | None, typer.Argument(help=f"What to measure: {', '.join(SUBJECTS)}; everything if none.")]
Repetitions = Annotated[int, typer.Option(min=2, help="Turns per side; other rows repeat in proportion.")]
Out = Annotated[Path, typer.Option(help="Folder for bench.json and the files that the turns write.")]
Record = Annotated[bool, typer.Option("--record", help="Add the ratios to docs/bench-history.md.")]
Document = Annotated[bool, typer.Option("--document", help="Write the table into docs/operations.md.")]


def bench(
    names: Names = None,
    repetitions: Repetitions = FULL,
    out: Out = Path("out"),
    is_recorded: Record = False,
    is_documented: Document = False,
) -> None:
    """Measure, print and write. Only a whole run is recorded or documented."""
    if unknown := set(names or ()) - set(SUBJECTS):
        raise typer.BadParameter(f"{', '.join(sorted(unknown))}: not one of {', '.join(SUBJECTS)}")
    if names and (is_recorded or is_documented):
        raise typer.BadParameter("only a whole run is recorded or documented")
    configure_logs("ERROR")
    rows = [row for name in names or SUBJECTS for row in _on_own_stores(out / "bench", repetitions, name)]
    report = report_of(rows)
    out.mkdir(parents=True, exist_ok=True)
    Console(width=160).print(table_of(rows))
    (out / "bench.json").write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    if is_recorded:
        record(report)
    if is_documented:
        document(report)


def _on_own_stores(out: Path, repetitions: int, name: str) -> list[Row]:
    """What another subject left in its inbox is in nobody's way."""
    with stage(out) as on:
        return asyncio.run(measured(on, repetitions, (name,)))


async def measured(on: Stage, repetitions: int, names: Iterable[str]) -> list[Row]:
    """The rows of those subjects, one after the other."""
    return [row for name in names for row in await SUBJECTS[name](on, repetitions)]


if __name__ == "__main__":
    typer.run(bench)
