"""What Teams accepts as an Adaptive Card 1.5, as the schema and the Teams pages state it. Limits are written out here
on purpose: a wrong number in the product must not make its own check pass."""

import json
import re
from collections.abc import Iterator
from typing import Any

from tests.validators.checks import Check, Node, anything, flag, items, number, one_of, record, string, typed

NODES: dict[str, Node] = {}
MOST_BYTES = 28_000
_NEEDS_FALLBACK = {
    "Table",
    "CodeBlock",
    "Action.Execute",
    "Chart.Line",
    "Chart.VerticalBar",
    "Chart.VerticalBar.Grouped",
    "Chart.HorizontalBar",
    "Chart.Pie",
}
_MENTION = re.compile(r"<at>[^<>*_\[\]`~]+</at>")
_MARKDOWN = re.compile(r"(?<!\\)(?:\[[^\]]*[^\\\]]\]\(|\*\*|`)")


def card_faults(card: object) -> list[str]:
    """Everything Teams would refuse, drop or misread in a card; empty when it is sound."""
    return [*typed(NODES, "AdaptiveCard")(card, "card"), *_card_wide(card)]


def _nodes(*types: str) -> Check:
    return typed(NODES, *types)


def _markdown(value: object, path: str) -> Iterator[str]:
    yield from string(least=0)(value, path)
    if isinstance(value, str) and _MARKDOWN.search(value):
        yield f"{path}: Markdown that was not escaped"
    if isinstance(value, str) and "<" in value and not _MENTION.fullmatch(value):
        yield f"{path}: HTML that was not escaped"


def _inline(value: object, path: str) -> Iterator[str]:
    yield from string()(value, path) if isinstance(value, str) else _nodes("TextRun")(value, path)


def _picture(value: object, path: str) -> Iterator[str]:
    yield from string()(value, path)
    if isinstance(value, str) and not value.startswith(("https://", "data:image/png;base64,")):
        yield f"{path}: neither https nor a data address"


def _refresh(value: object, path: str) -> Iterator[str]:
    """One Execute without words, for at most 60 people by Teams' ids."""
    if not isinstance(value, dict) or set(value) != {"action", "userIds"}:
        yield f"{path}: not an action and people"
        return
    if value["action"].get("type") != "Action.Execute" or "action" in value["action"].get("data", {}):
        yield f"{path}: no Execute, or one that a button could send"
    people = value["userIds"]
    if not 0 < len(people) <= 60 or not all(isinstance(each, str) and each.startswith("29:") for each in people):
        yield f"{path}: {len(people)} people, allowed 60 by Teams' ids"


def _data(value: object, path: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{path}: not an object"


_BODY = (
    "TextBlock",
    "RichTextBlock",
    "Container",
    "FactSet",
    "Table",
    "CodeBlock",
    "Image",
    "ActionSet",
    "Input.Text",
    "Input.ChoiceSet",
    "ColumnSet",
    "Chart.Line",
    "Chart.VerticalBar",
    "Chart.VerticalBar.Grouped",
    "Chart.HorizontalBar",
    "Chart.Pie",
)
_ACTIONS = ("Action.Execute", "Action.Submit", "Action.ShowCard", "Action.ToggleVisibility", "Action.OpenUrl")
_SPACING = one_of("None", "Small", "Default", "Medium", "Large", "ExtraLarge", "Padding")
_COMMON: dict[str, Check] = {
    "id": string(),
    "isVisible": flag,
    "separator": flag,
    "spacing": _SPACING,
    "fallback": _nodes(*_BODY),
    "height": one_of("auto", "stretch"),
}
_LOOK: dict[str, Check] = {
    "size": one_of("Small", "Default", "Medium", "Large", "ExtraLarge"),
    "weight": one_of("Lighter", "Default", "Bolder"),
    "color": one_of("Default", "Dark", "Light", "Accent", "Good", "Warning", "Attention"),
    "fontType": one_of("Default", "Monospace"),
    "isSubtle": flag,
}
_TITLED: dict[str, Check] = {
    "id": string(),
    "title": string(),
    "style": one_of("default", "positive", "destructive"),
    "tooltip": string(),
    "mode": one_of("primary", "secondary"),
    "isEnabled": flag,
}
_SENT: dict[str, Check] = {**_TITLED, "data": _data, "associatedInputs": one_of("auto", "none")}
_STYLE = one_of("default", "emphasis", "good", "attention", "warning", "accent")

_POINT = record(Node(fields={"x": string(), "y": number}, required=("x", "y")))


def _chart(data: Check) -> Node:
    return Node(fields={**_COMMON, "title": string(), "data": items(data)}, required=("data",))


NODES.update(
    {
        "AdaptiveCard": Node(
            fields={
                "$schema": string(),
                "version": one_of("1.0", "1.1", "1.2", "1.3", "1.4", "1.5"),
                "body": items(_nodes(*_BODY), least=0),
                "actions": items(_nodes(*_ACTIONS), 6, least=0),
                "lang": string(),
                "fallbackText": string(),
                "speak": string(),
                "refresh": _refresh,
                "msteams": record(Node(fields={"width": one_of("Full", "full"), "entities": anything})),
            },
            required=("version",),
        ),
        "TextBlock": Node(
            fields={
                **_COMMON,
                **_LOOK,
                "text": _markdown,
                "wrap": one_of(True),
                "maxLines": number,
                "style": one_of("default", "heading", "columnHeader"),
                "horizontalAlignment": one_of("Left", "Center", "Right"),
            },
            required=("text", "wrap"),
        ),
        "RichTextBlock": Node(
            fields={**_COMMON, "inlines": items(_inline), "horizontalAlignment": one_of("Left", "Center", "Right")},
            required=("inlines",),
        ),
        "TextRun": Node(
            fields={**_LOOK, "text": string(), "italic": flag, "strikethrough": flag, "highlight": flag},
            required=("text",),
        ),
        "Container": Node(
            fields={**_COMMON, "items": items(_nodes(*_BODY)), "style": _STYLE, "bleed": flag}, required=("items",)
        ),
        "FactSet": Node(
            fields={
                **_COMMON,
                "facts": items(
                    record(Node(fields={"title": _markdown, "value": _markdown}, required=("title", "value")))
                ),
            },
            required=("facts",),
        ),
        "Table": Node(
            fields={
                **_COMMON,
                "columns": items(
                    record(
                        Node(
                            fields={
                                "width": anything,
                                "horizontalCellContentAlignment": one_of("Left", "Center", "Right"),
                            }
                        )
                    )
                ),
                "rows": items(_nodes("TableRow")),
                "firstRowAsHeaders": flag,
                "showGridLines": flag,
                "gridStyle": _STYLE,
            },
            required=("columns", "rows"),
        ),
        "TableRow": Node(fields={"cells": items(_nodes("TableCell")), "style": _STYLE}, required=("cells",)),
        "TableCell": Node(fields={"items": items(_nodes(*_BODY), least=0), "style": _STYLE}, required=("items",)),
        "CodeBlock": Node(
            fields={
                **_COMMON,
                "codeSnippet": string(),
                "language": one_of("Sql", "PlainText", "Json"),
                "startLineNumber": number,
            },
            required=("codeSnippet", "language"),
        ),
        "Image": Node(
            fields={
                **_COMMON,
                "url": _picture,
                "altText": string(),
                "size": one_of("Auto", "Stretch", "Small", "Medium", "Large"),
                "horizontalAlignment": one_of("Left", "Center", "Right"),
                "msteams": record(Node(fields={"allowExpand": flag})),
            },
            required=("url", "altText"),
        ),
        "ActionSet": Node(fields={**_COMMON, "actions": items(_nodes(*_ACTIONS), 6)}, required=("actions",)),
        "ColumnSet": Node(fields={**_COMMON, "columns": items(_nodes("Column"))}, required=("columns",)),
        "Column": Node(fields={**_COMMON, "items": items(_nodes(*_BODY)), "width": anything}, required=("items",)),
        "Input.Text": Node(
            fields={
                **_COMMON,
                "label": string(),
                "placeholder": string(least=0),
                "value": string(least=0),
                "isMultiline": flag,
                "isRequired": flag,
                "errorMessage": string(),
                "maxLength": number,
            },
            required=("id", "label"),
        ),
        "Input.ChoiceSet": Node(
            fields={
                **_COMMON,
                "label": string(),
                "placeholder": string(),
                "value": string(),
                "style": one_of("compact", "expanded", "filtered"),
                "isRequired": flag,
                "choices": items(
                    record(Node(fields={"title": string(), "value": string()}, required=("title", "value")))
                ),
            },
            required=("id", "label", "choices"),
        ),
        "Chart.Line": _chart(record(Node(fields={"legend": string(), "values": items(_POINT)}, required=("values",)))),
        "Chart.VerticalBar": _chart(_POINT),
        "Chart.VerticalBar.Grouped": _chart(
            record(Node(fields={"legend": string(), "values": items(_POINT)}, required=("values",)))
        ),
        "Chart.HorizontalBar": _chart(_POINT),
        "Chart.Pie": _chart(record(Node(fields={"legend": string(), "value": number}, required=("legend", "value")))),
        "Action.Execute": Node(
            fields={**_SENT, "verb": string(), "fallback": _nodes("Action.Submit")}, required=("title", "verb", "data")
        ),
        "Action.Submit": Node(fields=_SENT, required=("title", "data")),
        "Action.ShowCard": Node(fields={**_TITLED, "card": _nodes("AdaptiveCard")}, required=("title", "card")),
        "Action.ToggleVisibility": Node(
            fields={**_TITLED, "targetElements": items(string())}, required=("title", "targetElements")
        ),
        "Action.OpenUrl": Node(fields={**_TITLED, "url": string()}, required=("title", "url")),
    }
)


def _card_wide(card: object) -> Iterator[str]:
    nodes = list(_walk(card))
    size = len(json.dumps(_without_pictures(card), ensure_ascii=False).encode("utf-16-le"))
    if size > MOST_BYTES:
        yield f"card: {size} bytes besides pictures, allowed {MOST_BYTES}"
    ids = [node["id"] for node in nodes if "id" in node]
    if len(ids) != len(set(ids)):
        yield f"card: an id is used twice: {ids}"
    yield from (
        f"card: {node['type']} has no fallback"
        for node in nodes
        if node.get("type") in _NEEDS_FALLBACK and "fallback" not in node and node.get("verb") != "refresh"
    )
    named = [entity["text"] for node in nodes for entity in (node.get("msteams") or {}).get("entities", [])]
    told = [node["text"] for node in nodes if node.get("type") == "TextBlock" and _MENTION.fullmatch(node["text"])]
    if named != told:
        yield f"card: mentions {told}, and declares {named}"
    targets = [target for node in nodes for target in node.get("targetElements", [])]
    yield from (f"card: toggles {target}, which is not there" for target in targets if target not in ids)
    yield from (
        f"card: a row of {len(row['cells'])} cells in {len(node['columns'])} columns"
        for node in nodes
        if node.get("type") == "Table"
        for row in node["rows"]
        if len(row["cells"]) != len(node["columns"])
    )


def _walk(node: object) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
        for held in node.values():
            yield from _walk(held)
    elif isinstance(node, list):
        for item in node:
            yield from _walk(item)


def _without_pictures(node: object) -> object:
    if isinstance(node, dict):
        return {name: "" if _is_picture(held) else _without_pictures(held) for name, held in node.items()}
    return [_without_pictures(item) for item in node] if isinstance(node, list) else node


def _is_picture(value: object) -> bool:
    return isinstance(value, str) and value.startswith("data:")
