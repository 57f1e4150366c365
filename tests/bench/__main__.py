"""`python -m tests.bench`: measures every row, prints a table and writes out/bench.json."""

import asyncio
import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from bot.logs import configure_logs
from tests.bench.acknowledging import acknowledgement_row
from tests.bench.files import file_row
from tests.bench.forecasting import forecast_row
from tests.bench.guarding import guard_rows
from tests.bench.long_thread import long_thread_row
from tests.bench.measuring import Row
from tests.bench.report import report_of, table_of
from tests.bench.stage import Stage, stage
from tests.bench.turns import turn_rows
from tests.bench.understanding import understanding_row
from tests.bench.wide_understanding import wide_rows

Repetitions = Annotated[int, typer.Option(min=2, help="Turns per side; other rows repeat in proportion.")]
Out = Annotated[Path, typer.Option(help="Folder for bench.json and the files that the turns write.")]


def bench(repetitions: Repetitions = 40, out: Out = Path("out")) -> None:
    """Measure, print and write."""
    configure_logs("ERROR")
    with stage(out / "bench") as set_up:
        rows = asyncio.run(measured(set_up, repetitions))
    Console(width=160).print(table_of(rows))
    target = out / "bench.json"
    target.write_text(json.dumps(report_of(rows), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


async def measured(on: Stage, repetitions: int) -> list[Row]:
    """Every row, one after the other."""
    return [
        *await turn_rows(on, warm_up=3, repetitions=repetitions),
        await long_thread_row(on, length=max(10, min(repetitions * 10, 300)), repetitions=max(repetitions // 2, 1)),
        await acknowledgement_row(on, warm_up=20, repetitions=repetitions * 10),
        await understanding_row(on, warm_up=3, repetitions=repetitions),
        *await wide_rows(share=min(repetitions / 40, 1.0), warm_up=1, repetitions=max(repetitions // 4, 1)),
        *guard_rows(warm_up=1, repetitions=max(repetitions // 10, 1)),
        forecast_row(series=repetitions),
        file_row(on.out, megabytes=min(repetitions * 3, 100)),
    ]


if __name__ == "__main__":
    typer.run(bench)
