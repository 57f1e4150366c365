"""The cards of a file given in a thread: how it was read, for its giver to check, or why it was not."""

from agent.files.domain import grouping, measured
from agent.values.file import FileColumn, FileRefused, FileTable
from agent.wording.numbers import count
from agent.wording.texts import say
from cards.build.phrases import paragraph
from cards.elements import Card, Element, Heading, Notice, Span, Table, TableColumn
from semantic_catalog.model import Locale


def file_card(name: str, tables: tuple[FileTable, ...], locale: Locale) -> Card:
    """Each table with its columns, how they were read and what they are good for, and what to know about it."""
    elements: list[Element] = [Heading(text=say(locale, "file.title", name=name))]
    for table in tables:
        words = say(locale, "file.table", count=table.row_count, label=table.label, rows=count(table.row_count, locale))
        remarks = (say(locale, f"file.{remark}") for remark in table.remarks)
        elements += [paragraph(words), _columns(table, locale), *(paragraph(remark) for remark in remarks)]
    elements.append(paragraph(say(locale, "file.ask")))
    return Card(kind="reply", elements=tuple(elements), fallback=say(locale, "file.title", name=name), locale=locale)


def file_refused_card(name: str, refused: FileRefused, locale: Locale) -> Card:
    """The reason in words."""
    text = file_refused_text(name, refused, locale)
    notice = Notice(tone="danger", spans=(Span(text=text),))
    return Card(kind="refusal", elements=(notice,), fallback=text, locale=locale)


def file_refused_text(name: str, refused: FileRefused, locale: Locale) -> str:
    """Why the file was not read, and what would help."""
    return say(locale, f"file.{refused.reason}", name=name, **dict(refused.params))


def _columns(table: FileTable, locale: Locale) -> Table:
    heads = tuple(TableColumn(label=say(locale, f"file.{name}")) for name in ("column", "type", "use"))
    rows = tuple((column.label, _type(column, locale), _use(column, table, locale)) for column in table.columns)
    return Table(columns=heads, rows=rows)


def _type(column: FileColumn, locale: Locale) -> str:
    return say(locale, "file.type_percent" if column.percent else f"file.type_{column.type}")


def _use(column: FileColumn, table: FileTable, locale: Locale) -> str:
    if column.type in ("date", "timestamp"):
        return say(locale, "file.use_time")
    if column in measured(table):
        return say(locale, "file.use_average" if column.percent else "file.use_sum")
    return say(locale, "file.use_split" if column in grouping(table) else "file.use_show")
