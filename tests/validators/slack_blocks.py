"""What Slack accepts in a message or a modal, as its reference pages state it. Limits are written out here on purpose:
a wrong number in the product must not make its own check pass."""

from collections.abc import Iterator

from tests.validators.checks import Check, Node, anything, flag, items, number, one_of, record, string, typed

NODES: dict[str, Node] = {}


def message_faults(blocks: object, text: object) -> list[str]:
    """Everything Slack would refuse, cut or misread in a message; empty when it is sound."""
    return [*_text_faults(text), *_blocks_faults(blocks, 50, _MESSAGE_BLOCKS), *_message_wide(blocks)]


def view_faults(view: object) -> list[str]:
    """Everything Slack would refuse in a modal or in a Home tab."""
    is_home = isinstance(view, dict) and view.get("type") == "home"
    return [*record(_HOME if is_home else _MODAL)(view, "view")]


def prompts_faults(prompts: object) -> list[str]:
    """Everything Slack would refuse in suggested prompts."""
    return [*items(_PROMPT, 4)(prompts, "prompts")]


def _text(most: int, *types: str) -> Check:
    allowed = types or ("plain_text", "mrkdwn")

    def check(value: object, path: str) -> Iterator[str]:
        yield from typed(NODES, *allowed)(value, path)
        if isinstance(value, dict):
            yield from string(most)(value.get("text"), f"{path}.text")

    return check


def _mrkdwn(value: object, path: str) -> Iterator[str]:
    yield from string(3000)(value, path)
    if isinstance(value, str) and "<!" in value:
        yield f"{path}: unescaped control sequence"


def _nodes(*types: str) -> Check:
    return typed(NODES, *types)


_INLINE = ("text", "link", "user", "channel", "emoji")
_RICH = ("rich_text_section", "rich_text_list", "rich_text_preformatted", "rich_text_quote")
_ELEMENTS = ("button", "static_select", "overflow")
_CONTEXT_ACTIONS = ("feedback_buttons", "icon_button")
_BLOCK_ID = {"block_id": string(255)}
_STYLE = record(Node(fields={"bold": flag, "italic": flag, "strike": flag, "code": flag}))
_CONFIRM = record(
    Node(
        fields={
            "title": _text(100, "plain_text"),
            "text": _text(300),
            "confirm": _text(30, "plain_text"),
            "deny": _text(30, "plain_text"),
            "style": one_of("primary", "danger"),
        },
        required=("title", "text", "confirm", "deny"),
    )
)
_OPTION = record(
    Node(
        fields={"text": _text(75), "value": string(150), "description": _text(75, "plain_text")},
        required=("text", "value"),
    )
)
_THUMB = record(
    Node(
        fields={"text": _text(75, "plain_text"), "value": string(2000), "accessibility_label": string(75)},
        required=("text", "value"),
    )
)
_FILE = record(Node(fields={"id": string(), "url": string()}, exactly_one_of=("id", "url")))

NODES.update(
    {
        "plain_text": Node(fields={"text": string(), "emoji": flag}, required=("text",)),
        "mrkdwn": Node(fields={"text": _mrkdwn, "verbatim": flag}, required=("text",)),
        "header": Node(fields={"text": _text(150, "plain_text"), **_BLOCK_ID}, required=("text",)),
        "section": Node(
            fields={
                "text": _text(3000),
                "fields": items(_text(2000), 10),
                "accessory": _nodes(*_ELEMENTS),
                "expand": flag,
                **_BLOCK_ID,
            }
        ),
        "divider": Node(fields=_BLOCK_ID),
        "context": Node(
            fields={"elements": items(_nodes("plain_text", "mrkdwn"), 10), **_BLOCK_ID}, required=("elements",)
        ),
        "actions": Node(fields={"elements": items(_nodes(*_ELEMENTS), 25), **_BLOCK_ID}, required=("elements",)),
        "context_actions": Node(
            fields={"elements": items(_nodes(*_CONTEXT_ACTIONS), 5), **_BLOCK_ID}, required=("elements",)
        ),
        "feedback_buttons": Node(
            fields={"action_id": string(255), "positive_button": _THUMB, "negative_button": _THUMB},
            required=("action_id", "positive_button", "negative_button"),
        ),
        "icon_button": Node(
            fields={
                "action_id": string(255),
                "icon": string(),
                "text": _text(75, "plain_text"),
                "value": string(2000),
                "accessibility_label": string(75),
                "confirm": _CONFIRM,
            },
            required=("action_id", "icon", "text"),
        ),
        "plan": Node(
            fields={"title": string(), "tasks": items(_nodes("task_card")), **_BLOCK_ID}, required=("title", "tasks")
        ),
        "task_card": Node(
            fields={
                "task_id": string(),
                "title": string(),
                "status": one_of("pending", "in_progress", "complete", "error"),
                "details": _nodes("rich_text"),
                "output": _nodes("rich_text"),
                **_BLOCK_ID,
            },
            required=("task_id", "title", "status"),
        ),
        "image": Node(
            fields={
                "image_url": string(3000),
                "slack_file": _FILE,
                "alt_text": string(2000),
                "title": _text(2000, "plain_text"),
                **_BLOCK_ID,
            },
            required=("alt_text",),
            exactly_one_of=("image_url", "slack_file"),
        ),
        "rich_text": Node(fields={"elements": items(_nodes(*_RICH)), **_BLOCK_ID}, required=("elements",)),
        "rich_text_section": Node(fields={"elements": items(_nodes(*_INLINE))}, required=("elements",)),
        "rich_text_quote": Node(fields={"elements": items(_nodes(*_INLINE)), "border": number}, required=("elements",)),
        "rich_text_preformatted": Node(
            fields={"elements": items(_nodes("text", "link")), "border": number, "language": string()},
            required=("elements",),
        ),
        "rich_text_list": Node(
            fields={
                "elements": items(_nodes("rich_text_section")),
                "style": one_of("bullet", "ordered"),
                "indent": number,
                "border": number,
                "offset": number,
            },
            required=("elements", "style"),
        ),
        "text": Node(fields={"text": string(), "style": _STYLE}, required=("text",)),
        "link": Node(fields={"url": string(3000), "text": string(), "style": _STYLE}, required=("url",)),
        "user": Node(fields={"user_id": string(), "style": _STYLE}, required=("user_id",)),
        "channel": Node(fields={"channel_id": string(), "style": _STYLE}, required=("channel_id",)),
        "emoji": Node(fields={"name": string(), "unicode": string()}, required=("name",)),
        "table": Node(
            fields={
                "rows": items(items(_nodes("raw_text", "raw_number", "rich_text"), 20), 100),
                "column_settings": items(
                    record(Node(fields={"align": one_of("left", "center", "right"), "is_wrapped": flag})), 20
                ),
                **_BLOCK_ID,
            },
            required=("rows",),
        ),
        "raw_text": Node(fields={"text": string()}, required=("text",)),
        "raw_number": Node(fields={"value": number, "text": string()}, required=("value",)),
        "button": Node(
            fields={
                "action_id": string(255),
                "text": _text(75, "plain_text"),
                "value": string(2000),
                "url": string(3000),
                "style": one_of("primary", "danger"),
                "confirm": _CONFIRM,
                "accessibility_label": string(75),
            },
            required=("text", "action_id"),
        ),
        "static_select": Node(
            fields={
                "action_id": string(255),
                "placeholder": _text(150, "plain_text"),
                "options": items(_OPTION, 100),
                "initial_option": _OPTION,
                "confirm": _CONFIRM,
            },
            required=("action_id", "options"),
        ),
        "overflow": Node(
            fields={"action_id": string(255), "options": items(_OPTION, 5), "confirm": _CONFIRM},
            required=("action_id", "options"),
        ),
        "input": Node(
            fields={
                "label": _text(2000, "plain_text"),
                "element": _nodes("plain_text_input", "static_select"),
                "hint": _text(2000, "plain_text"),
                "optional": flag,
                "dispatch_action": flag,
                **_BLOCK_ID,
            },
            required=("label", "element"),
        ),
        "plain_text_input": Node(
            fields={
                "action_id": string(255),
                "initial_value": string(3000),
                "multiline": flag,
                "min_length": number,
                "max_length": number,
                "placeholder": _text(150, "plain_text"),
                "focus_on_load": flag,
                "dispatch_action_config": anything,
            },
            required=("action_id",),
        ),
    }
)

_VIEW_BLOCKS = ("header", "section", "divider", "context", "actions", "image", "rich_text", "input")
_MESSAGE_BLOCKS = (*_VIEW_BLOCKS, "table", "context_actions", "plan", "task_card")
_MODAL = Node(
    fields={
        "title": _text(24, "plain_text"),
        "submit": _text(24, "plain_text"),
        "close": _text(24, "plain_text"),
        "blocks": items(_nodes(*_VIEW_BLOCKS), 100),
        "private_metadata": string(3000, least=0),
        "callback_id": string(255),
        "clear_on_close": flag,
        "notify_on_close": flag,
        "external_id": string(255),
        "submit_disabled": flag,
    },
    required=("title", "blocks"),
)


_HOME = Node(
    fields={
        "blocks": items(_nodes(*_VIEW_BLOCKS), 100),
        "private_metadata": string(3000, least=0),
        "callback_id": string(255),
        "external_id": string(255),
    },
    required=("blocks",),
)
_PROMPT = record(Node(fields={"title": string(75), "message": string(3000)}, required=("title", "message")))


def _text_faults(text: object) -> Iterator[str]:
    yield from string(4000)(text, "text")
    if isinstance(text, str) and "<!" in text:
        yield "text: unescaped control sequence"


def _blocks_faults(blocks: object, most: int, types: tuple[str, ...]) -> Iterator[str]:
    yield from items(_nodes(*types), most)(blocks, "blocks")


def _message_wide(blocks: object) -> Iterator[str]:
    if not isinstance(blocks, list):
        return
    length = sum(map(_length, blocks))
    if length > 12_000:
        yield f"blocks: {length} characters of text, msg_blocks_too_long"
    tables = [block for block in blocks if block.get("type") == "table"]
    if len(tables) > 1:
        yield f"blocks: {len(tables)} tables, allowed 1"
    yield from ("table: more than 10,000 characters" for table in tables if _length(table) > 10_000)
    for block in blocks:
        ids = [element.get("action_id") for element in block.get("elements", []) if "action_id" in element]
        if len(ids) != len(set(ids)):
            yield f"blocks: action_id used twice in one block: {ids}"


def _length(node: object) -> int:
    if isinstance(node, dict):
        shown = (held for name, held in node.items() if name not in {"type", "value", "action_id", "block_id"})
        return sum(len(held) if isinstance(held, str) else _length(held) for held in shown)
    return sum(map(_length, node)) if isinstance(node, list) else 0
