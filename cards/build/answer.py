"""The card that answers: the sentence, the picture, the rows, and where they come from."""

from decimal import Decimal
from typing import Final
from zoneinfo import ZoneInfo

from agent.values.outcome import Answer
from agent.values.result import ResultTable
from agent.values.turn import CardAction
from agent.wording.dates import moment, period_label
from agent.wording.numbers import count, decimal, write_cell
from agent.wording.texts import say
from cards.build.next_steps import next_step_buttons
from cards.build.phrases import bullets, notice, paragraph, quoted, small, suggestion_buttons
from cards.build.plot import plot_of
from cards.build.prompts import thumbs_prompt
from cards.build.schedule import schedule_button
from cards.elements import (
    Actions,
    Attachment,
    Button,
    Card,
    Citation,
    Element,
    Paragraph,
    Picture,
    Plot,
    Span,
    Table,
    TableColumn,
)
from semantic_catalog.model import Locale

ROWS_SHOWN: Final = 10
HIGHLIGHTS_SHOWN: Final = 3
_NUMBERS: Final = ("integer", "decimal")
_POLICY: Final = "policy:"
_STANDING: Final = "standing:"


def answer_card(answer: Answer, table: ResultTable, attachments: tuple[Attachment, ...] = ()) -> Card:
    """Doubts first, then the sentence, the chart, at most `ROWS_SHOWN` rows, what stands out, the receipt, buttons.

    As much of it as the report asked for: a short answer has neither chart nor rows, an analysis opens with a summary.

    `table` holds the result's first rows; the chart is drawn where an attachment is an image.
    """
    elements: tuple[Element, ...] = (
        *_doubts(answer),
        _sentence(answer),
        *_summary(answer),
        *(_pictures(attachments, plot_of(answer.chart, table, answer.locale)) if answer.report != "short" else ()),
        *(_table(answer, table, _has_workbook(attachments)) if answer.report not in ("short", "chart") else ()),
        *_standing_out(answer),
        *bullets(answer.assumptions),
        small(_receipt_line(answer)),
        _buttons(answer),
        *suggestion_buttons(answer.suggestions, answer.run),
    )
    return Card(
        kind="answer",
        elements=elements,
        fallback=_joined(answer.narrative.lead, answer.narrative.rest),
        attachments=attachments,
        locale=answer.locale,
        is_model_written=answer.narrative.written_by == "model",
        citations=(Citation(title=answer.source_label, text=_receipt_line(answer)),),
    )


def _summary(answer: Answer) -> tuple[Element, ...]:
    """Of an analysis or a whole report, what a person in a hurry reads."""
    lines = answer.narrative.summary
    return (paragraph(say(answer.locale, "answer.summary"), bold=True), *bullets(lines)) if lines else ()


def _standing_out(answer: Answer) -> tuple[Element, ...]:
    told = answer.report == "short" or answer.narrative.summary
    return () if told else bullets(answer.narrative.highlights[:HIGHLIGHTS_SHOWN])


def _repeats(answer: Answer) -> bool:
    """Whether the same question can be asked again and again: it was put together from the catalog."""
    return answer.spec is not None and answer.query.origin in ("trusted", "compiled")


def _doubts(answer: Answer) -> tuple[Element, ...]:
    locale = answer.locale
    found = (say(locale, f"doubt.{doubt.key}", **dict(doubt.params)) for doubt in answer.verification.doubts)
    unused = say(locale, "card.unused_words", words=quoted(answer.unused_words, locale))
    texts = dict.fromkeys((*answer.warnings, *found, *((unused,) if answer.unused_words else ())))
    return tuple(notice("warning", say(locale, "card.doubt", text=text)) for text in texts)


def _sentence(answer: Answer) -> Paragraph:
    lead, rest = answer.narrative.lead, answer.narrative.rest
    return Paragraph(spans=(Span(text=lead, bold=True), Span(text=_joined(lead, rest)[len(lead) :])))


def _joined(lead: str, rest: str) -> str:
    """Two parts of a sentence with a space between them, unless the second brings its own or opens with a mark."""
    return lead + rest if not lead or rest[:1] in {"", " ", ".", ",", ":", ";"} else f"{lead} {rest}"


def _pictures(attachments: tuple[Attachment, ...], plot: Plot | None) -> tuple[Picture, ...]:
    return tuple(
        Picture(attachment=item.key, alt=item.alt or item.title, plot=plot)
        for item in attachments
        if item.media_type.startswith("image/")
    )


def _has_workbook(attachments: tuple[Attachment, ...]) -> bool:
    return any("spreadsheet" in item.media_type for item in attachments)


def _table(answer: Answer, table: ResultTable, workbook: bool) -> tuple[Table, ...]:
    """No table for a single figure: the sentence is the figure."""
    if answer.result.row_count <= 1 and len(table.columns) <= 1:
        return ()
    table = _ahead(answer, table)
    shown = table.rows[:ROWS_SHOWN]
    rows = tuple(
        tuple(write_cell(cell, column, answer.locale) for cell, column in zip(row, table.columns, strict=True))
        for row in shown
    )
    columns = tuple(TableColumn(label=item.label, numeric=item.type in _NUMBERS) for item in table.columns)
    return (Table(columns=columns, rows=rows, note=_rows_note(answer, len(shown), workbook)),)


def _ahead(answer: Answer, table: ResultTable) -> ResultTable:
    """Of a forecast, the rows ahead and what they hold: the history is in the chart and in the workbook."""
    if answer.chart is None or not answer.chart.intervals:
        return table
    forecast = next(i for i, column in enumerate(table.columns) if column.name == answer.chart.values[-1])
    rows = tuple(row for row in table.rows if row[forecast] is not None)
    kept = [i for i in range(len(table.columns)) if any(row[i] is not None for row in rows)]
    return ResultTable(
        columns=tuple(table.columns[i] for i in kept), rows=tuple(tuple(row[i] for i in kept) for row in rows)
    )


def _rows_note(answer: Answer, shown: int, workbook: bool) -> str:
    result, locale = answer.result, answer.locale
    counts = {"shown": count(shown, locale), "total": count(result.row_count, locale)}
    if result.truncated:
        return say(locale, "card.shown_rows_cut", **counts)
    if shown >= result.row_count:
        return ""
    return say(locale, "card.shown_rows_workbook" if workbook else "card.shown_rows", **counts)


def _receipt_line(answer: Answer) -> str:
    locale = answer.locale
    lines = {line.key: line.value for line in answer.receipt.lines}
    period = answer.spec.period if answer.spec else None
    parts = (
        say(locale, "answer.trusted", checked=lines["trusted"]) if "trusted" in lines else "",
        answer.source_label,
        period_label(period, locale) if period else lines.get("period", ""),
        lines.get("measure", ""),
        say(locale, "card.run", run=answer.run),
        _seconds(answer) if answer.fetched_at is None else "",
        *_earlier(answer),
        say(locale, "card.data_until", until=answer.data_until) if answer.data_until else "",
        _signed_without_asking(answer.approved_by, locale),
        answer.sent_as,
    )
    return " · ".join(part for part in parts if part)


def _earlier(answer: Answer) -> tuple[str, ...]:
    """When the rows were fetched, where no query ran for this answer."""
    if answer.fetched_at is None:
        return ()
    at = answer.fetched_at.astimezone(ZoneInfo(answer.timezone))
    return (say(answer.locale, "answer.from_earlier", at=moment(at, answer.locale)),)


def _signed_without_asking(approved_by: str, locale: Locale) -> str:
    if approved_by.startswith(_POLICY):
        return say(locale, "card.by_policy", policy=approved_by.removeprefix(_POLICY))
    if approved_by.startswith(_STANDING):
        return say(locale, "approval.by_standing", name=approved_by.removeprefix(_STANDING))
    return ""


def _seconds(answer: Answer) -> str:
    if answer.seconds < 0.1:
        return say(answer.locale, "card.under_tenth")
    return say(answer.locale, "card.seconds", seconds=decimal(Decimal(str(answer.seconds)), answer.locale, decimals=1))


def _explain(answer: Answer) -> tuple[Button, ...]:
    """Only of a question that the catalog knows: written SQL is its own explanation."""
    if answer.spec is None:
        return ()
    label = say(answer.locale, "button.explain")
    return (Button(label=label, action=CardAction(verb="explain", run=answer.run)),)


def _buttons(answer: Answer) -> Actions:
    locale, run = answer.locale, answer.run
    return Actions(
        buttons=(
            *next_step_buttons(answer),
            Button(label=say(locale, "button.show_sql"), action=CardAction(verb="show_sql", run=run)),
            *_explain(answer),
            Button(label=say(locale, "button.export"), action=CardAction(verb="export", run=run)),
            *((schedule_button(run, locale),) if _repeats(answer) else ()),
            Button(label=say(locale, "button.thumbs_up"), action=CardAction(verb="thumbs_up", run=run)),
            Button(
                label=say(locale, "button.thumbs_down"),
                action=CardAction(verb="thumbs_down", run=run),
                prompt=thumbs_prompt(locale),
            ),
        )
    )
