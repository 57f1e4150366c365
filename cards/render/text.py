"""Cards as plain text: what a screen reader, a log of a conversation or a bare terminal shows."""

from collections.abc import Iterator, Sequence
from typing import assert_never

from agent.wording.texts import say
from cards.elements import (
    Actions,
    Bullets,
    Button,
    Card,
    Code,
    Element,
    Facts,
    Fold,
    FoldElement,
    Heading,
    Notice,
    Paragraph,
    Picture,
    RichText,
    Small,
    Table,
)
from cards.render.button_groups import named_groups
from cards.render.clean import clean, one_line
from semantic_catalog.model import Locale


def render_text(card: Card) -> str:
    """The whole card, one element under the other; nothing is cut. Ends without a line end."""
    drawn = ["\n".join(_lines(element, card.locale)) for element in card.elements]
    return "\n\n".join(part for part in drawn if part)


def plain(spans: RichText) -> str:
    """The text of all spans."""
    return "".join(span.text for span in spans)


def table_text(rows: Sequence[Sequence[str]], numeric: Sequence[bool]) -> str:
    """Rows as columns of equal width, numbers to the right; the first row is the header."""
    widths = [max(len(row[index]) for row in rows) for index in range(len(numeric))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numeric, strict=True)
        ).rstrip(" ")
        for row in rows
    )


def _lines(element: Element, locale: Locale) -> Iterator[str]:
    match element:
        case Heading(text=text):
            yield one_line(clean(text))
        case Notice(spans=spans):
            yield clean(plain(spans))
        case Fold(title=title, elements=parts):
            yield one_line(clean(title))
            for part in parts:
                yield from _content(part)
        case Table():
            yield from _table(element)
        case Picture(alt=alt):
            yield say(locale, "card.picture", alt=one_line(clean(alt)))
        case Actions():
            yield from _actions(element)
        case _:
            yield from _content(element)


def _content(element: FoldElement) -> Iterator[str]:
    match element:
        case Paragraph(spans=spans) | Small(spans=spans):
            yield clean(plain(spans))
        case Facts(items=items):
            yield from (f"{one_line(clean(label))}: {one_line(clean(text))}" for label, text in items)
        case Bullets():
            yield from (f"{mark}{clean(plain(item))}" for mark, item in element.marked())
        case Code(text=text):
            yield clean(text)
        case _:
            assert_never(element)


def _table(table: Table) -> Iterator[str]:
    if table.columns:
        rows = [tuple(column.label for column in table.columns), *table.rows]
        cleaned = [tuple(one_line(clean(cell)) for cell in row) for row in rows]
        yield table_text(cleaned, [column.numeric for column in table.columns])
    if table.note:
        yield one_line(clean(table.note))


def _actions(actions: Actions) -> Iterator[str]:
    yield from (
        f"• {one_line(clean(button.label))}: {one_line(clean(button.hint))}"
        for button in actions.buttons
        if button.hint
    )
    groups = list(named_groups(actions.buttons))
    yield from (f"{one_line(clean(name))}: {_labels(buttons)}" for name, buttons in groups if name)
    alone = tuple(button for name, buttons in groups if not name for button in buttons)
    if alone:
        yield _labels(alone)


def _labels(buttons: tuple[Button, ...]) -> str:
    return " ".join(f"[{one_line(clean(button.label))}]" for button in buttons)
