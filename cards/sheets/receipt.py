"""The sheet that says what was asked, what ran, who signed it and what to know before using it."""

from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from agent.values.outcome import Answer
from agent.wording.numbers import count
from agent.wording.texts import say
from cards.sheets.pages import Page, Typed, TypedRow, counted

LABEL_WIDTH = 24
TEXT_WIDTH = 60


def receipt_page(name: str, answer: Answer, domain_label: str, generated_at: datetime, sheets: int) -> Page:
    """Label and text, a line each; SQL at the end, one row a line so that it can be copied.

    `sheets` is on how many the rows are.
    """
    rows = (*_labelled(answer, domain_label, generated_at, sheets), *_sql(answer))
    return counted(name, rows, (LABEL_WIDTH, TEXT_WIDTH))


def _labelled(answer: Answer, domain_label: str, generated_at: datetime, sheets: int) -> Iterator[TypedRow]:
    for label, typed in _lines(answer, domain_label, generated_at, sheets):
        yield Typed(label, style="bold"), typed._replace(style="wrapped")


def _sql(answer: Answer) -> Iterator[TypedRow]:
    for place, line in enumerate(answer.query.sql.splitlines()):
        label = Typed(None) if place else Typed(_label(answer, "sql"), style="bold")
        yield label, Typed(line, style="code")


def _lines(answer: Answer, domain_label: str, generated_at: datetime, sheets: int) -> Iterator[tuple[str, Typed]]:
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
    yield from _origin(answer, domain_label, generated_at, sheets)


def _origin(answer: Answer, domain_label: str, generated_at: datetime, sheets: int) -> Iterator[tuple[str, Typed]]:
    local = generated_at.astimezone(ZoneInfo(answer.timezone)).replace(tzinfo=None)
    yield _label(answer, "domain"), Typed(value=domain_label)
    yield _label(answer, "source"), Typed(value=f"{answer.source_label} ({', '.join(answer.query.sources)})")
    if answer.data_until:
        yield _label(answer, "data_until"), Typed(value=answer.data_until)
    yield _label(answer, "rows"), _rows(answer, sheets)
    yield _label(answer, "approved_by"), Typed(value=answer.approved_by)
    yield _label(answer, "run"), Typed(value=answer.run)
    yield _label(answer, "generated_at"), Typed(value=local, format="dd mmm yyyy hh:mm")
    yield _label(answer, "dialect"), Typed(value=answer.query.dialect)
    yield _label(answer, "fingerprint"), Typed(value=answer.query.fingerprint)


def _rows(answer: Answer, sheets: int) -> Typed:
    rows = answer.result.row_count
    cut = say(answer.locale, "workbook.truncated", rows=rows) if answer.result.truncated else ""
    if sheets > 1:
        shown = cut or count(rows, answer.locale)
        return Typed(value=say(answer.locale, "workbook.rows_on_sheets", rows=shown, sheets=sheets))
    return Typed(value=cut) if cut else Typed(value=rows, format="#,##0")


def _doubts(answer: Answer) -> tuple[str, ...]:
    found = (say(answer.locale, f"doubt.{doubt.key}", **dict(doubt.params)) for doubt in answer.verification.doubts)
    return tuple(dict.fromkeys((*answer.warnings, *found)))


def _label(answer: Answer, name: str) -> str:
    return say(answer.locale, f"workbook.{name}")
