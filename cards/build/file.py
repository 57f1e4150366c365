"""The cards of a file given in a thread: how it was read, for its giver to check, or why it was not."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from agent.files.domain import averaged, dating, grouping, measured
from agent.values.file import FileColumn, FileId, FileRefused, FileTable, ThreadFile
from agent.values.turn import ActionVerb, CardAction
from agent.wording.dates import day
from agent.wording.numbers import count
from agent.wording.texts import say
from cards.build.phrases import notice, paragraph, small
from cards.elements import Actions, Button, Card, Element, Heading, Notice, Prompt, Span, Table, TableColumn
from semantic_catalog.model import Locale


@dataclass(frozen=True, slots=True, kw_only=True)
class Sharing:
    """Who may ask about a file (`is_shared`: everybody of its thread), and the last day that it is kept."""

    is_shared: bool
    until: date


def file_card(name: str, tables: tuple[FileTable, ...], locale: Locale) -> Card:
    """Each table with its columns, how they were read and what they are good for, and what to know about it."""
    return _card(name, (*_tables(tables, locale), paragraph(say(locale, "file.ask"))), locale)


def unconfirmed_card(file: ThreadFile, sharing: Sharing, locale: Locale, misread: str = "") -> Card:
    """The reading with buttons to confirm it, to change it and to delete the file; `misread` is a line of a change."""
    doubt = (notice("warning", say(locale, "file.changed_line", line=misread)),) if misread else ()
    buttons = (
        _button(file.id, "file_confirm", "file.looks_right", locale),
        _button(file.id, "file_change", "file.change", locale),
        _button(file.id, "file_delete", "file.delete", locale),
    )
    elements = (*doubt, *_tables(file.tables, locale), paragraph(say(locale, "file.check")), Actions(buttons=buttons))
    return _card(file.name, (*elements, small(_kept(sharing, locale))), locale)


def confirmed_card(file: ThreadFile, who: str, sharing: Sharing, locale: Locale) -> Card:
    """The reading as it was confirmed, with a button to delete the file."""
    done = notice("success", say(locale, "file.confirmed", who=who, name=file.name))
    delete = Actions(buttons=(_button(file.id, "file_delete", "file.delete", locale),))
    elements = (done, *_tables(file.tables, locale), delete, small(_kept(sharing, locale)))
    return _card(file.name, elements, locale)


def deleted_card(names: tuple[str, ...], locale: Locale) -> Card:
    """That the files are gone."""
    text = say(locale, "file.deleted", count=len(names), names=", ".join(names))
    return Card(kind="notice", elements=(notice("info", text),), fallback=text, locale=locale)


def file_refused_card(name: str, refused: FileRefused, locale: Locale) -> Card:
    """The reason in words."""
    text = file_refused_text(name, refused, locale)
    notice = Notice(tone="danger", spans=(Span(text=text),))
    return Card(kind="refusal", elements=(notice,), fallback=text, locale=locale)


def file_refused_text(name: str, refused: FileRefused, locale: Locale) -> str:
    """Why the file was not read, and what would help."""
    return say(locale, f"file.{refused.reason}", name=name, **dict(refused.params))


def file_change_prompt(locale: Locale) -> Prompt:
    """Asks what of the reading is to be changed."""
    return Prompt(
        title=say(locale, "file.change_title"),
        label=say(locale, "file.change_label"),
        submit=say(locale, "file.change_submit"),
        placeholder=say(locale, "file.change_placeholder"),
        required=True,
    )


def _card(name: str, elements: tuple[Element, ...], locale: Locale) -> Card:
    title = say(locale, "file.title", name=name)
    return Card(kind="reply", elements=(Heading(text=title), *elements), fallback=title, locale=locale)


def _button(file: FileId, verb: ActionVerb, label: str, locale: Locale) -> Button:
    return Button(
        label=say(locale, label),
        action=CardAction(verb=verb, value=file),
        style="primary" if verb == "file_confirm" else "default",
        prompt=file_change_prompt(locale) if verb == "file_change" else None,
    )


def _kept(sharing: Sharing, locale: Locale) -> str:
    key = "file.kept_thread" if sharing.is_shared else "file.kept_giver"
    return say(locale, key, day=day(sharing.until, locale))


def _tables(tables: tuple[FileTable, ...], locale: Locale) -> tuple[Element, ...]:
    several = len(tables) > 1
    return tuple(
        element
        for place, table in enumerate(tables, start=1)
        for element in _table(table, f"{place}." if several else "", locale)
    )


def _table(table: FileTable, prefix: str, locale: Locale) -> Iterator[Element]:
    label = f"{prefix} {table.label}".strip()
    if table.left_out:
        yield paragraph(say(locale, "file.table_left_out", label=label))
        return
    yield paragraph(say(locale, "file.table", count=table.row_count, label=label, rows=count(table.row_count, locale)))
    yield _columns(table, prefix, locale)
    for remark in table.remarks:
        yield paragraph(say(locale, f"file.{remark}"))
    for column in table.columns:
        if column.misfits:
            yield paragraph(say(locale, "file.misfits", count=column.misfits, column=column.label))


def _columns(table: FileTable, prefix: str, locale: Locale) -> Table:
    heads = tuple(TableColumn(label=say(locale, f"file.{name}")) for name in ("number", "column", "type", "use"))
    rows = tuple(
        (f"{prefix}{place}", column.label, _type(column, locale), _use(column, table, locale))
        for place, column in enumerate(table.columns, start=1)
    )
    return Table(columns=heads, rows=rows)


def _type(column: FileColumn, locale: Locale) -> str:
    return say(locale, "file.type_percent" if column.percent else f"file.type_{column.type}")


def _use(column: FileColumn, table: FileTable, locale: Locale) -> str:
    if column == dating(table):
        return say(locale, "file.use_time")
    if column in measured(table):
        return say(locale, "file.use_average" if averaged(column) else "file.use_sum")
    if column in grouping(table):
        return say(locale, "file.use_split")
    is_crowded = column.type == "text" and column.use is None
    return say(locale, "file.use_show" if is_crowded else "file.use_nothing")
