"""Cards as Slack's Block Kit: plain dicts within every documented limit.

Texts go into `rich_text`, `plain_text` and `raw_text`, where nothing is markup; only the notification text is escaped.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, assert_never

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
from cards.limits import SLACK
from cards.render.block_kit_buttons import button, buttons, is_select, numbered, pressable
from cards.render.block_kit_steps import plan
from cards.render.clean import ELLIPSIS, clip
from cards.render.fit import Caps, fit
from cards.render.text import plain, table_text

Json = dict[str, Any]
NO_PICTURES: Final[Mapping[str, str]] = {}
FOLDED_LINES: Final = 12
FOLDED_CHARACTERS: Final = 1200
"""A longer text in a fold shows its beginning, where a button leads to the rest."""

_CAPS: Final = Caps(
    heading=SLACK.header,
    text=SLACK.section,
    code=8000,
    line=500,
    items=20,
    rows=SLACK.table_rows - 1,
    columns=SLACK.table_columns,
    cell=300,
    elements=SLACK.blocks,
    buttons=SLACK.buttons,
    label=SLACK.button_label,
)


def render_block_kit(card: Card, pictures: Mapping[str, str] = NO_PICTURES) -> tuple[list[Json], str]:
    """The blocks, and the `text` that notifications and old clients show, escaped.

    `pictures` maps an attachment's key to a public https address or to the id of a file in Slack; a picture without one
    is not drawn (its file stands in the thread).
    """
    fitted = fit(card, _CAPS, lambda smaller: _within_limits(_blocks(smaller, pictures)))
    mention = f"<@{_mention(card)}> " if _mention(card) else ""
    return _blocks(fitted, pictures), mention + escape(fitted.fallback, SLACK.fallback)


def render_home(cards: Sequence[Card]) -> list[Json]:
    """The blocks of a view that shows the cards below each other: no tables, and at most what a view takes."""
    blocks: list[Json] = []
    for card in cards:
        drawn, _ = render_block_kit(card)
        blocks += [plain for block in drawn for plain in _of_view(block)]
    return _renumbered(blocks[: SLACK.view_blocks])


def _of_view(block: Json) -> list[Json]:
    """What a view takes in place of a block of messages."""
    match block["type"]:
        case "table":
            return list(_preformatted(_aligned(block)))
        case "plan" | "task_card" | "context_actions":
            return []
        case _:
            return [block]


def _renumbered(blocks: list[Json]) -> list[Json]:
    """Ids unique over all cards, the language kept."""
    for index, element in enumerate(pressable(blocks)):
        head, _, locale = element["action_id"].rpartition(":")
        element["action_id"] = f"{head.rpartition(':')[0]}:{index}:{locale}"
    return blocks


def escape(text: str, limit: int) -> str:
    """Text for a `mrkdwn` or `text` field: no mention, link or entity in it is read as one; at most `limit` long."""
    escaped = _entities(clip(text, limit))
    return escaped if len(escaped) <= limit else _entities(clip(text, limit // len("&amp;")))


def _entities(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _blocks(card: Card, pictures: Mapping[str, str]) -> list[Json]:
    elements = card.elements
    drawn = plan(card.steps) if card.kind == "progress" else []
    if drawn:
        # The first paragraph says the same as the steps.
        elements = tuple(element for element in elements if not isinstance(element, Paragraph))
    blocks = [block for element in elements for block in _block(element, pictures)]
    return numbered(_addressed(_one_table([*drawn, *blocks]), card), card.locale)


def _addressed(blocks: list[Json], card: Card) -> list[Json]:
    """A question back names whom it asks; nobody else is ever mentioned."""
    if _mention(card):
        asked = {"type": "rich_text_section", "elements": [{"type": "user", "user_id": _mention(card)}]}
        return [_rich_text([asked]), *blocks]
    return blocks


def _mention(card: Card) -> str:
    """The user id to mention, which Slack wrote: capital letters and digits."""
    asked = card.addressee
    if card.kind != "clarification" or asked is None or asked.channel != "slack":
        return ""
    return asked.user_id if asked.user_id.isascii() and asked.user_id.isalnum() else ""


def _block(element: Element, pictures: Mapping[str, str]) -> Iterator[Json]:
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
            yield from _preformatted(text)
        case Small(spans=spans):
            yield from _context(plain(spans))
        case _:
            assert_never(element)


def _plain_text(text: str) -> Json:
    return {"type": "plain_text", "text": text, "emoji": False}


def _rich(kind: str, spans: RichText) -> Iterator[Json]:
    runs = _runs(spans)
    if runs:
        yield _rich_text([{"type": kind, "elements": runs}])


def _rich_text(elements: list[Json]) -> Json:
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
        yield _rich_text([{"type": "rich_text_section", "elements": runs[:-1]}])


def _bullets(bullets: Bullets) -> Iterator[Json]:
    lines = [{"type": "rich_text_section", "elements": runs} for item in bullets.items if (runs := _runs(item))]
    if lines:
        yield _rich_text([{"type": "rich_text_list", "style": "bullet", "elements": lines}])


def _preformatted(text: str) -> Iterator[Json]:
    if text:
        yield _rich_text([{"type": "rich_text_preformatted", "elements": [_run(text)]}])


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
        yield _rich_text([{"type": "rich_text_list", "style": "bullet", "elements": lines}])


def _hint(each: Button) -> Json:
    return {"type": "rich_text_section", "elements": [_run(each.label, bold=True), _run(f" — {each.hint}")]}


def _one_table(blocks: list[Json]) -> list[Json]:
    """Slack takes one table a message: further ones become aligned text."""
    first = next((block for block in blocks if block["type"] == "table"), None)
    return [
        drawn
        for block in blocks
        for drawn in ([block] if block["type"] != "table" or block is first else _preformatted(_aligned(block)))
    ]


def _aligned(table: Json) -> str:
    rows = [tuple(cell["text"] for cell in row) for row in table["rows"]]
    return table_text(rows, [setting["align"] == "right" for setting in table["column_settings"]])


def _within_limits(blocks: list[Json]) -> bool:
    tables = [block for block in blocks if block["type"] == "table"]
    return (
        len(blocks) <= SLACK.blocks
        and sum(_length(block) for block in blocks) <= SLACK.message
        and all(_length(table) <= SLACK.table for table in tables)
    )


def _length(node: object) -> int:
    match node:
        case dict():
            return sum(
                len(value) if key in {"text", "alt_text"} and isinstance(value, str) else _length(value)
                for key, value in node.items()
                if key != "value"
            )
        case list():
            return sum(_length(item) for item in node)
        case _:
            return 0
