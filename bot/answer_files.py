"""The files of an answer: its chart and its workbook, drawn off the event loop from the stored rows."""

import asyncio
from datetime import datetime

from agent.values.outcome import Answer
from agent.values.result import ResultTable
from cards.chart import alt_text, draw_chart
from cards.elements import Attachment
from cards.workbook import write_workbook

WORKBOOK = "workbook"
WORKBOOK_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


async def answer_files(answer: Answer, table: ResultTable, domain_label: str, now: datetime) -> tuple[Attachment, ...]:
    """The chart (where there is one) as PNG and the workbook as XLSX."""
    return await asyncio.to_thread(_draw, answer, table, domain_label, now)


def _draw(answer: Answer, table: ResultTable, domain_label: str, now: datetime) -> tuple[Attachment, ...]:
    workbook = Attachment(
        key=WORKBOOK,
        name=f"countersign-{answer.run}.xlsx",
        media_type=WORKBOOK_TYPE,
        title=answer.receipt.title,
        content=write_workbook(answer, table, domain_label, now),
    )
    if answer.chart is None or answer.chart.kind == "table":
        return (workbook,)
    chart = Attachment(
        key="chart",
        name=f"countersign-{answer.run}.png",
        media_type="image/png",
        title=answer.receipt.title,
        content=draw_chart(answer.chart, table, answer.locale),
        alt=alt_text(answer.chart, table, answer.locale),
        run=answer.run,
    )
    return (chart, workbook)
