"""The first sheet of a whole report: the sentence that answers, the summary, doubts and what was assumed."""

from collections.abc import Iterator

from openpyxl.styles import Font
from openpyxl.worksheet.worksheet import Worksheet

from agent.values.outcome import Answer
from agent.wording.texts import say
from cards.sheets.cells import Typed, put, set_width

WIDTH = 110


def write_report(sheet: Worksheet, answer: Answer) -> None:
    """One text a row; headings are bold. Text that looks like a formula is text."""
    set_width(sheet, 1, WIDTH)
    for row, (text, bold) in enumerate(_lines(answer), start=1):
        put(sheet, row, 1, Typed(value=text))
        if bold:
            sheet.cell(row=row, column=1).font = Font(bold=True)


def _lines(answer: Answer) -> Iterator[tuple[str, bool]]:
    told = answer.narrative
    yield answer.receipt.title, True
    yield f"{told.lead} {told.rest}".strip(), False
    yield from ((text, False) for text in answer.warnings)
    yield say(answer.locale, "answer.summary"), True
    yield from ((line, False) for line in told.summary or told.highlights)
    yield from ((text, False) for text in answer.assumptions)
