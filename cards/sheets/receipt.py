"""The sheet that says what was asked, what ran, who signed it and what to know before using it."""

from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from openpyxl.styles import Alignment, Font
from openpyxl.worksheet.worksheet import Worksheet

from agent.values.outcome import Answer
from agent.wording.texts import say
from cards.sheets.cells import Typed, put, set_width

LABEL_WIDTH = 24
TEXT_WIDTH = 60
_BOLD = Font(bold=True)
_SQL = Font(name="Consolas")


def write_receipt(sheet: Worksheet, answer: Answer, domain_label: str, generated_at: datetime) -> None:
    """Label and text, a line each; SQL at the end, one row a line so that it can be copied."""
    row = 1
    for label, typed in _lines(answer, domain_label, generated_at):
        put(sheet, row, 1, Typed(value=label)).font = _BOLD
        put(sheet, row, 2, typed).alignment = Alignment(wrap_text=True, vertical="top", horizontal="left")
        row += 1
    put(sheet, row, 1, Typed(value=_label(answer, "sql"))).font = _BOLD
    for line in answer.query.sql.splitlines():
        put(sheet, row, 2, Typed(value=line)).font = _SQL
        row += 1
    set_width(sheet, 1, LABEL_WIDTH)
    set_width(sheet, 2, TEXT_WIDTH)


def _lines(answer: Answer, domain_label: str, generated_at: datetime) -> Iterator[tuple[str, Typed]]:
    yield _label(answer, "question"), Typed(value=answer.receipt.title)
    yield _label(answer, "answer"), Typed(value=f"{answer.narrative.lead} {answer.narrative.rest}".strip())
    for text in answer.narrative.highlights:
        yield _label(answer, "highlight"), Typed(value=text)
    for text in _doubts(answer):
        yield _label(answer, "doubt"), Typed(value=text)
    for line in answer.receipt.lines:
        yield say(answer.locale, f"receipt.{line.key}"), Typed(value=line.value)
    for text in answer.assumptions:
        yield _label(answer, "assumption"), Typed(value=text)
    if answer.unused_words:
        yield _label(answer, "unused"), Typed(value=", ".join(answer.unused_words))
    yield from _origin(answer, domain_label, generated_at)


def _origin(answer: Answer, domain_label: str, generated_at: datetime) -> Iterator[tuple[str, Typed]]:
    local = generated_at.astimezone(ZoneInfo(answer.timezone)).replace(tzinfo=None)
    yield _label(answer, "domain"), Typed(value=domain_label)
    yield _label(answer, "source"), Typed(value=f"{answer.source_label} ({', '.join(answer.query.sources)})")
    if answer.data_until:
        yield _label(answer, "data_until"), Typed(value=answer.data_until)
    yield _label(answer, "rows"), _rows(answer)
    yield _label(answer, "approved_by"), Typed(value=answer.approved_by)
    yield _label(answer, "run"), Typed(value=answer.run)
    yield _label(answer, "generated_at"), Typed(value=local, format="dd mmm yyyy hh:mm")
    yield _label(answer, "dialect"), Typed(value=answer.query.dialect)
    yield _label(answer, "fingerprint"), Typed(value=answer.query.fingerprint)


def _rows(answer: Answer) -> Typed:
    if not answer.result.truncated:
        return Typed(value=answer.result.row_count, format="#,##0")
    return Typed(value=say(answer.locale, "workbook.truncated", rows=answer.result.row_count))


def _doubts(answer: Answer) -> tuple[str, ...]:
    found = (say(answer.locale, f"doubt.{doubt.key}", **dict(doubt.params)) for doubt in answer.verification.doubts)
    return tuple(dict.fromkeys((*answer.warnings, *found)))


def _label(answer: Answer, name: str) -> str:
    return say(answer.locale, f"workbook.{name}")
