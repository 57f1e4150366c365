"""Cards with more of everything than any platform takes."""

from dataclasses import replace
from typing import Final, assert_never

from agent.values.turn import CardAction
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
    Span,
    Step,
    Table,
    TableColumn,
)

WORDS: Final = " <!channel> & *more* [of](http://evil.example) `this` 😀"
LINE: Final = WORDS * 10
MUCH: Final = WORDS * 80
LINES: Final = "\nSELECT a_rather_long_column_name AS one_more, -- & so on" * 250
MANY: Final = 30
ELEMENTS: Final = 70


def oversized(card: Card) -> Card:
    """The card with every text lengthened and every list multiplied, again and again; its first buttons do the same."""
    again = ELEMENTS // len(card.elements)
    return replace(
        card,
        elements=(*(_element(element) for element in card.elements), *card.elements * again),
        fallback=card.fallback + MUCH,
        steps=tuple(Step(label=step.label + LINE, done=step.done) for step in card.steps) * MANY,
        citations=card.citations * MANY,
    )


def _element(element: Element) -> Element:
    match element:
        case Heading(text=text):
            return Heading(text=text + MUCH)
        case Notice():
            return replace(element, spans=_spans(element.spans))
        case Fold():
            inner = tuple(_content(part) for part in element.elements) * 3
            return replace(element, title=element.title + LINE, elements=inner)
        case Table():
            return _table(element)
        case Picture():
            return replace(element, alt=element.alt + MUCH)
        case Actions():
            return _actions(element)
        case _:
            return _content(element)


def _content(element: FoldElement) -> FoldElement:
    match element:
        case Paragraph(spans=spans):
            return Paragraph(spans=_spans(spans))
        case Small(spans=spans):
            return Small(spans=_spans(spans))
        case Facts(items=items):
            return Facts(items=tuple((label + LINE, text + LINE) for label, text in items) * MANY)
        case Bullets(items=items):
            return replace(element, items=tuple((*item, Span(text=LINE)) for item in items) * MANY)
        case Code(text=text):
            return replace(element, text=text + LINES)
        case _:
            assert_never(element)


def _spans(spans: RichText) -> RichText:
    return tuple(replace(span, text=span.text + MUCH) for span in spans) * 2


def _table(table: Table) -> Table:
    columns = tuple(TableColumn(label=column.label + LINE, numeric=column.numeric) for column in table.columns)
    rows = tuple(tuple(cell + WORDS for cell in row) * 15 for row in table.rows)
    return Table(columns=columns * 15, rows=rows * MANY, note=table.note + MUCH)


def _actions(actions: Actions) -> Actions:
    """More buttons behind those there are, each for something of its own; labels and hints of all of them grown."""
    more = tuple(_button(button, at) for at in range(1, 30) for button in actions.buttons)
    first = tuple(_grown(button) for button in actions.buttons)
    return replace(actions, buttons=(*first, *more), placeholder=actions.placeholder + LINE)


def _button(button: Button, at: int) -> Button:
    action: CardAction = replace(button.action, value=f"{button.action.value} {at}")
    return _grown(replace(button, action=action))


def _grown(button: Button) -> Button:
    listed = button.listed_as + LINE if button.listed_as else ""
    return replace(button, label=button.label + LINE, hint=button.hint + LINE, listed_as=listed)
