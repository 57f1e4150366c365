"""Cards as Adaptive Cards 1.5 for Teams: plain dicts, with a fallback for everything older clients lack.

Texts go into rich text runs, where nothing is markup; the few elements that read Markdown get it escaped.
"""

import json
import re
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any, Final, assert_never

from cards.elements import (
    Actions,
    Bullets,
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
    Table,
    Tone,
)
from cards.limits import TEAMS
from cards.render.adaptive_buttons import button_rows
from cards.render.fit import Caps, fit
from cards.render.text import plain, table_text

Json = dict[str, Any]
NO_PICTURES: Final[Mapping[str, str]] = {}

_SCHEMA: Final = "http://adaptivecards.io/schemas/adaptive-card.json"
_CAPS: Final = Caps(
    heading=200,
    text=TEAMS.text,
    code=9000,
    line=500,
    items=20,
    rows=TEAMS.table_rows,
    columns=TEAMS.table_columns,
    cell=200,
    elements=60,
    buttons=18,
    label=TEAMS.label,
)
_TONES: Final[Mapping[Tone, str]] = {
    "info": "accent",
    "success": "good",
    "warning": "warning",
    "danger": "attention",
}
_MARKUP: Final = re.compile(r"([\\`*_\[\]~])")
# '1. ', '- ', '# ' open a list or a heading where a text begins with them.
_OPENING: Final = re.compile(r"^(\s*(?:\d+(?=[.)]))?)([.)#>+-])(?=\s)")


def render_adaptive(card: Card, pictures: Mapping[str, str] = NO_PICTURES) -> Json:
    """The card as JSON types, at most `TEAMS.card` bytes besides its pictures.

    `pictures` maps an attachment's key to an https address or a `data:` address; a picture without one is not drawn.
    What a pressed button sends back is read by `cards.render.adaptive_buttons.pressed_action`.
    """
    fitted = fit(card, _CAPS, lambda smaller: _bytes_besides_pictures(_card(smaller, pictures)) <= TEAMS.card)
    return _card(fitted, pictures)


def escape(text: str) -> str:
    """Text for an element that reads Markdown: shown as it is written."""
    escaped = _MARKUP.sub(r"\\\1", text).replace("<", "&lt;")
    return _OPENING.sub(r"\1\\\2", escaped)


def _card(card: Card, pictures: Mapping[str, str]) -> Json:
    ids = count()
    return {
        "type": "AdaptiveCard",
        "$schema": _SCHEMA,
        "version": "1.5",
        "lang": card.locale,
        "fallbackText": card.fallback,
        "msteams": {"width": "full"},
        "body": [drawn for element in card.elements for drawn in _element(element, pictures, ids)],
    }


def _element(element: Element, pictures: Mapping[str, str], ids: Iterator[int]) -> Iterator[Json]:
    match element:
        case Heading(text=text):
            yield from _heading(text)
        case Notice():
            yield from _notice(element)
        case Fold():
            yield from _fold(element, next(ids))
        case Table():
            yield from _table(element)
        case Picture():
            yield from _picture(element, pictures)
        case Actions():
            yield from _hints(element)
            yield from button_rows(element, ids)
        case _:
            yield from _content(element)


def _content(element: FoldElement) -> Iterator[Json]:
    match element:
        case Paragraph(spans=spans):
            yield from _rich(spans)
        case Facts():
            yield from _facts(element)
        case Bullets(items=items):
            for item in items:
                yield from _rich((Span(text="• "), *item), spacing="Small")
        case Code():
            yield from _code(element)
        case Small(spans=spans):
            yield from _small(plain(spans))
        case _:
            assert_never(element)


def _heading(text: str) -> Iterator[Json]:
    if text:
        yield {
            "type": "TextBlock",
            "text": escape(text),
            "style": "heading",
            "size": "Medium",
            "weight": "Bolder",
            "wrap": True,
        }


def _notice(notice: Notice) -> Iterator[Json]:
    items = list(_rich(notice.spans))
    if items:
        yield {"type": "Container", "style": _TONES[notice.tone], "items": items}


def _rich(spans: RichText, **look: object) -> Iterator[Json]:
    runs = [_run(span) for span in spans if span.text]
    if runs:
        yield {"type": "RichTextBlock", "inlines": runs, **look}


def _run(span: Span) -> Json:
    bold = {"weight": "Bolder"} if span.bold else {}
    code = {"fontType": "Monospace"} if span.code else {}
    return {"type": "TextRun", "text": span.text, **bold, **code}


def _small(text: str) -> Iterator[Json]:
    if text:
        run = {"type": "TextRun", "text": text, "size": "Small", "isSubtle": True}
        yield {"type": "RichTextBlock", "inlines": [run], "spacing": "Small"}


def _facts(facts: Facts) -> Iterator[Json]:
    items = [{"title": escape(label), "value": escape(text)} for label, text in facts.items if text]
    if items:
        yield {"type": "FactSet", "facts": items}


def _code(code: Code) -> Iterator[Json]:
    if code.text:
        yield {
            "type": "CodeBlock",
            "codeSnippet": code.text,
            "language": "Sql" if code.language == "sql" else "PlainText",
            "startLineNumber": 1,
            "fallback": _monospace(code.text),
        }


def _monospace(text: str) -> Json:
    return {"type": "RichTextBlock", "inlines": [{"type": "TextRun", "text": text, "fontType": "Monospace"}]}


def _fold(fold: Fold, number: int) -> Iterator[Json]:
    target = f"fold_{number}"
    toggle = {"type": "Action.ToggleVisibility", "title": fold.title, "targetElements": [target]}
    items = [drawn for part in fold.elements for drawn in _content(part)]
    if items:
        yield {"type": "ActionSet", "actions": [toggle]}
        yield {"type": "Container", "id": target, "isVisible": False, "items": items}


def _table(table: Table) -> Iterator[Json]:
    if table.columns:
        header = tuple(column.label for column in table.columns)
        yield {
            "type": "Table",
            "showGridLines": False,
            "columns": [
                {"width": 1, "horizontalCellContentAlignment": "Right" if column.numeric else "Left"}
                for column in table.columns
            ],
            "rows": [_row(header, bold=True), *(_row(row) for row in table.rows)],
            "fallback": _monospace(table_text((header, *table.rows), [column.numeric for column in table.columns])),
        }
    yield from _small(table.note)


def _row(cells: tuple[str, ...], bold: bool = False) -> Json:
    return {"type": "TableRow", "cells": [_cell(cell, bold) for cell in cells]}


def _cell(text: str, bold: bool) -> Json:
    inline = {"type": "TextRun", "text": text, "weight": "Bolder"} if bold and text else text
    return {"type": "TableCell", "items": [{"type": "RichTextBlock", "inlines": [inline]}] if text else []}


def _picture(picture: Picture, pictures: Mapping[str, str]) -> Iterator[Json]:
    found = pictures.get(picture.attachment, "")
    if found.startswith(("https://", "http://", "data:image/")):
        yield {
            "type": "Image",
            "url": found,
            "altText": picture.alt or picture.attachment,
            "size": "Stretch",
            "msteams": {"allowExpand": True},
        }


def _hints(actions: Actions) -> Iterator[Json]:
    for button in actions.buttons:
        if button.hint:
            hint = (Span(text=button.label, bold=True), Span(text=f" — {button.hint}"))
            yield from _rich((Span(text="• "), *hint), spacing="Small")


def _bytes_besides_pictures(card: Json) -> int:
    bare = {**card, "body": [{**item, "url": ""} if _is_embedded(item) else item for item in card["body"]]}
    return len(json.dumps(bare, ensure_ascii=False).encode("utf-16-le"))


def _is_embedded(item: Json) -> bool:
    return item["type"] == "Image" and str(item["url"]).startswith("data:")
