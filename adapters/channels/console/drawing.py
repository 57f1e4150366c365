"""Cards drawn with rich: the same content as everywhere, for a terminal."""

from collections.abc import Iterator, Mapping
from typing import Final, assert_never

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.syntax import Syntax
from rich.table import Table as Grid
from rich.text import Text

from adapters.channels.console.inbound import keys_of
from agent.wording.texts import say
from cards.elements import (
    Actions,
    Bullets,
    Button,
    Card,
    CardKind,
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
    Tone,
)
from cards.render.button_groups import named_groups
from cards.render.clean import clean, one_line

_TONES: Final[Mapping[Tone, str]] = {"info": "cyan", "success": "green", "warning": "yellow", "danger": "red"}
_BORDERS: Final[Mapping[CardKind, str]] = {
    "proposal": "yellow",
    "decided": "dim",
    "answer": "green",
    "clarification": "cyan",
    "clarified": "dim",
    "progress": "dim",
    "refusal": "red",
    "no_data": "cyan",
    "failure": "red",
    "reply": "cyan",
    "notice": "dim",
}


def drawn(card: Card) -> RenderableType:
    """The card in a frame. Its first heading is the frame's title; each button shows the key that presses it."""
    heading = next((item for item in card.elements if isinstance(item, Heading)), None)
    keys = {id(button): key for key, button in keys_of(card).items()}
    parts = [part for item in card.elements if item is not heading for part in _element(item, card, keys)]
    title = Text(one_line(clean(heading.text)), style="bold") if heading else None
    return Panel(
        Group(*parts),
        title=title,
        title_align="left",
        border_style=_BORDERS[card.kind],
        box=box.ROUNDED,
        padding=(0, 1),
    )


def drawn_line(card: Card) -> Text:
    """A card that moves or was decided, as its one line: the terminal cannot redraw what stands above."""
    notices = [item for item in card.elements if isinstance(item, Notice)]
    return _notice(notices[-1]) if notices else Text(one_line(clean(card.fallback)), style="dim")


def _element(element: Element, card: Card, keys: Mapping[int, str]) -> Iterator[RenderableType]:
    match element:
        case Heading(text=text):
            yield Text(one_line(clean(text)), style="bold")
        case Notice():
            yield _notice(element)
        case Fold(title=title, elements=parts):
            yield Text()
            yield Text(one_line(clean(title)), style="dim")
            for part in parts:
                yield from _content(part)
        case Table():
            yield from _table(element)
        case Picture(alt=alt):
            yield Text(say(card.locale, "card.picture", alt=one_line(clean(alt))), style="dim italic")
        case Actions():
            yield from _actions(element, keys)
        case _:
            yield from _content(element)


def _content(element: FoldElement) -> Iterator[RenderableType]:
    match element:
        case Paragraph(spans=spans):
            yield _text(spans)
        case Small(spans=spans):
            yield _text(spans, style="dim")
        case Facts():
            yield _facts(element)
        case Bullets():
            yield from (Text.assemble(mark, _text(item)) for mark, item in element.marked())
        case Code():
            yield _code(element)
        case _:
            assert_never(element)


def _text(spans: RichText, style: str = "") -> Text:
    text = Text(style=style)
    for span in spans:
        text.append(clean(span.text), style="bold" if span.bold else "cyan" if span.code else "")
    return text


def _notice(notice: Notice) -> Text:
    return _text(notice.spans, style=f"bold {_TONES[notice.tone]}")


def _facts(facts: Facts) -> Grid:
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for label, text in facts.items:
        grid.add_row(Text(one_line(clean(label))), Text(one_line(clean(text))))
    return grid


def _code(code: Code) -> Padding:
    lexer = "sql" if code.language == "sql" else "text"
    syntax = Syntax(clean(code.text), lexer, theme="ansi_dark", background_color="default", word_wrap=True)
    return Padding(syntax, (0, 0, 0, 2))


def _table(table: Table) -> Iterator[RenderableType]:
    if table.columns:
        grid = Grid(box=box.SIMPLE, pad_edge=False)
        for column in table.columns:
            grid.add_column(Text(one_line(clean(column.label))), justify="right" if column.numeric else "left")
        for row in table.rows:
            grid.add_row(*(Text(one_line(clean(cell))) for cell in row))
        yield grid
    if table.note:
        yield Text(one_line(clean(table.note)), style="dim")


def _actions(actions: Actions, keys: Mapping[int, str]) -> Iterator[RenderableType]:
    yield Text()
    hinted = [button for button in actions.buttons if button.hint]
    for button in hinted:
        yield Text.assemble(_button(button, keys), f" — {one_line(clean(button.hint))}")
    groups = list(named_groups([button for button in actions.buttons if not button.hint]))
    for name, buttons in groups:
        if name:
            yield Text(f"{one_line(clean(name))}: ", style="dim") + _in_line(buttons, keys)
    alone = tuple(button for name, buttons in groups if not name for button in buttons)
    if alone:
        yield _in_line(alone, keys)


def _in_line(buttons: tuple[Button, ...], keys: Mapping[int, str]) -> Text:
    return Text("   ").join(_button(button, keys) for button in buttons)


def _button(button: Button, keys: Mapping[int, str]) -> Text:
    return Text.assemble((f"[{keys[id(button)]}]", "bold cyan"), f" {one_line(clean(button.label))}")
