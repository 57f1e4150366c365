"""A card's elements as Block Kit's blocks.

Texts go into `rich_text`, `plain_text` and `raw_text`, where nothing is markup.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, assert_never

from cards.elements import (
    Actions,
    Bullets,
    Button,
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
from cards.limits import SLACK
from cards.render.block_kit_buttons import button, buttons, is_select
from cards.render.clean import ELLIPSIS, clip
from cards.render.text import plain, table_text

Json = dict[str, Any]

FOLDED_LINES: Final = 12
FOLDED_CHARACTERS: Final = 1200
"""A longer text in a fold shows its beginning, where a button leads to the rest."""


def block_of(element: Element, pictures: Mapping[str, str]) -> Iterator[Json]:
    """The element's blocks; none for an element that says nothing."""
    match element:
        case Heading(text=text):
            yield from ([{"type": "header", "text": _plain_text(text)}] if text else [])
        case Notice(tone="warning" | "danger", spans=spans):
            yield from _rich("rich_text_quote", spans)
        case Notice(spans=spans):
            yield from _rich("rich_text_section", spans)
        case Fold():
            yield from _fold(element)
        case Table():
            yield from _table(element)
        case Picture():
            yield from _picture(element, pictures)
        case Actions():
            yield from _hints(element)
            yield from buttons(element)
        case _:
            yield from _content(element)


def _content(element: FoldElement) -> Iterator[Json]:
    match element:
        case Paragraph(spans=spans):
            yield from _rich("rich_text_section", spans)
        case Facts():
            yield from _facts(element)
        case Bullets():
            yield from _bullets(element)
        case Code(text=text):
            yield from preformatted(text)
        case Small(spans=spans):
            yield from _context(plain(spans))
        case _:
            assert_never(element)


def _plain_text(text: str) -> Json:
    return {"type": "plain_text", "text": text, "emoji": False}


def _rich(kind: str, spans: RichText) -> Iterator[Json]:
    runs = _runs(spans)
    if runs:
        yield rich_text([{"type": kind, "elements": runs}])


def rich_text(elements: list[Json]) -> Json:
    """A block of rich text."""
    return {"type": "rich_text", "elements": elements}


def _runs(spans: RichText) -> list[Json]:
    return [_run(span.text, bold=span.bold, code=span.code) for span in spans if span.text]


def _run(text: str, **style: bool) -> Json:
    chosen = {name: True for name, on in style.items() if on}
    return {"type": "text", "text": text, **({"style": chosen} if chosen else {})}


def _facts(facts: Facts) -> Iterator[Json]:
    lines = [(label, text) for label, text in facts.items if text]
    runs = [run for label, text in lines for run in (_run(f"{label}: ", bold=True), _run(text), _run("\n"))]
    if runs:
        yield rich_text([{"type": "rich_text_section", "elements": runs[:-1]}])


def _bullets(bullets: Bullets) -> Iterator[Json]:
    lines = [{"type": "rich_text_section", "elements": runs} for item in bullets.items if (runs := _runs(item))]
    if lines:
        style = "ordered" if bullets.numbered else "bullet"
        yield rich_text([{"type": "rich_text_list", "style": style, "elements": lines}])


def preformatted(text: str) -> Iterator[Json]:
    """Text to be read letter by letter."""
    if text:
        yield rich_text([{"type": "rich_text_preformatted", "elements": [_run(text)]}])


def _fold(fold: Fold) -> Iterator[Json]:
    """Slack cannot fold: the title, then everything, or where it is long its beginning and a button for the rest."""
    long = fold.more is not None and any(_is_long(part) for part in fold.elements)
    if fold.more is None or not long:
        yield from _context(fold.title)
        for part in fold.elements:
            yield from _content(part)
        return
    title = _plain_text(fold.title or fold.more.label)
    yield {"type": "section", "text": title, "accessory": button(fold.more)}
    for part in fold.elements:
        yield from _content(_beginning(part))


def _is_long(part: FoldElement) -> bool:
    return isinstance(part, Code) and (len(part.text) > FOLDED_CHARACTERS or part.text.count("\n") >= FOLDED_LINES)


def _beginning(part: FoldElement) -> FoldElement:
    if not isinstance(part, Code) or not _is_long(part):
        return part
    lines = part.text.split("\n")[:FOLDED_LINES]
    return replace(part, text=clip("\n".join([*lines, ELLIPSIS]), FOLDED_CHARACTERS))


def _table(table: Table) -> Iterator[Json]:
    if table.columns:
        header = tuple(column.label for column in table.columns)
        yield {
            "type": "table",
            "column_settings": [
                {"align": "right" if column.numeric else "left", "is_wrapped": not column.numeric}
                for column in table.columns
            ],
            "rows": [[_cell(cell) for cell in row] for row in (header, *table.rows)],
        }
    yield from _context(table.note)


def _cell(text: str) -> Json:
    return {"type": "raw_text", "text": text or "—"}


def _picture(picture: Picture, pictures: Mapping[str, str]) -> Iterator[Json]:
    found = pictures.get(picture.attachment, "")
    if not found or len(found) > SLACK.image_url:
        return
    source: Json = {"image_url": found} if found.startswith("https://") else {"slack_file": {"id": found}}
    yield {"type": "image", **source, "alt_text": clip(picture.alt, SLACK.image_alt) or picture.attachment}


def _context(text: str) -> Iterator[Json]:
    if text:
        yield {"type": "context", "elements": [_plain_text(text)]}


def _hints(actions: Actions) -> Iterator[Json]:
    thumbs = ("thumbs_up", "thumbs_down")
    lines = [_hint(each) for each in actions.buttons if each.hint and each.action.verb not in thumbs]
    if lines and not is_select(actions):
        yield rich_text([{"type": "rich_text_list", "style": "bullet", "elements": lines}])


def _hint(each: Button) -> Json:
    return {"type": "rich_text_section", "elements": [_run(each.label, bold=True), _run(f" — {each.hint}")]}


def one_table(blocks: list[Json]) -> list[Json]:
    """Slack takes one table a message: further ones become aligned text."""
    first = next((block for block in blocks if block["type"] == "table"), None)
    return [
        drawn
        for block in blocks
        for drawn in ([block] if block["type"] != "table" or block is first else preformatted(aligned(block)))
    ]


def aligned(table: Json) -> str:
    """A table block as text in columns."""
    rows = [tuple(cell["text"] for cell in row) for row in table["rows"]]
    return table_text(rows, [setting["align"] == "right" for setting in table["column_settings"]])
