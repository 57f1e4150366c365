"""The files of an answer: its chart and its workbook, drawn off the event loop from the stored rows."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

from agent.values.outcome import Answer
from agent.values.result import ResultTable
from cards.chart import alt_text, draw_chart
from cards.elements import Attachment
from cards.workbook import write_long_workbook, write_workbook

WORKBOOK = "workbook"
WORKBOOK_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
PART_BYTES = 1024 * 1024


async def workbook_file(
    answer: Answer, table: ResultTable, domain_label: str, now: datetime, folder: Path
) -> Attachment:
    """The workbook as XLSX. That of a long result lies in the folder, and is read from there in parts."""
    return await asyncio.to_thread(_workbook, answer, table, domain_label, now, folder)


async def chart_files(answer: Answer, table: ResultTable) -> tuple[Attachment, ...]:
    """The chart as PNG, where there is one."""
    if answer.chart is None or answer.chart.kind == "table":
        return ()
    return (await asyncio.to_thread(_chart, answer, table),)


def _workbook(answer: Answer, table: ResultTable, domain_label: str, now: datetime, folder: Path) -> Attachment:
    file = Attachment(
        key=WORKBOOK, name=f"countersign-{answer.run}.xlsx", media_type=WORKBOOK_TYPE, title=answer.receipt.title
    )
    if table.long is None:
        return replace(file, content=write_workbook(answer, table, domain_label, now))
    path = folder / file.name
    write_long_workbook(answer, table, domain_label, now, path)
    return replace(file, length=path.stat().st_size, parts=partial(_parts_of, path))


def _chart(answer: Answer, table: ResultTable) -> Attachment:
    assert answer.chart is not None
    return Attachment(
        key="chart",
        name=f"countersign-{answer.run}.png",
        media_type="image/png",
        title=answer.receipt.title,
        content=draw_chart(answer.chart, table, answer.locale),
        alt=alt_text(answer.chart, table, answer.locale),
        run=answer.run,
    )


async def _parts_of(path: Path) -> AsyncIterator[bytes]:
    with path.open("rb") as opened:
        while part := await asyncio.to_thread(opened.read, PART_BYTES):
            yield part
