"""Cards as Slack's Block Kit: plain dicts within every documented limit.

Texts go into `rich_text`, `plain_text` and `raw_text`, where nothing is markup; only the notification text is escaped.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from cards.elements import Card, Paragraph
from cards.limits import SLACK
from cards.render.block_kit_buttons import numbered, pressable
from cards.render.block_kit_elements import aligned, block_of, one_table, preformatted, rich_text
from cards.render.block_kit_steps import plan
from cards.render.clean import clip
from cards.render.fit import Caps, fit

Json = dict[str, Any]
NO_PICTURES: Final[Mapping[str, str]] = {}

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
            return list(preformatted(aligned(block)))
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
    blocks = [block for element in elements for block in block_of(element, pictures)]
    return numbered(_addressed(one_table([*drawn, *blocks]), card), card.locale)


def _addressed(blocks: list[Json], card: Card) -> list[Json]:
    """A question back names whom it asks; nobody else is ever mentioned."""
    if _mention(card):
        asked = {"type": "rich_text_section", "elements": [{"type": "user", "user_id": _mention(card)}]}
        return [rich_text([asked]), *blocks]
    return blocks


def _mention(card: Card) -> str:
    """The user id to mention, which Slack wrote: capital letters and digits."""
    asked = card.addressee
    if card.kind != "clarification" or asked is None or asked.channel != "slack":
        return ""
    return asked.user_id if asked.user_id.isascii() and asked.user_id.isalnum() else ""


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
