"""What Teams takes in one message. Limits are written out here, so that a wrong one in the product shows."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from microsoft_teams.cards import core
from pydantic import BaseModel, ValidationError

from tests.validators.adaptive_cards import card_faults

MOST_BYTES = 80_000
MOST_PICTURE_BYTES = 96_000
"""70 KB of picture, as base64."""
CARD = "application/vnd.microsoft.card.adaptive"
CONSENT = "application/vnd.microsoft.teams.card.file.consent"
INFO = "application/vnd.microsoft.teams.card.file.info"
_CONTENT = {
    CONSENT: {"description", "sizeInBytes", "acceptContext", "declineContext"},
    INFO: {"uniqueId", "fileType"},
}


def message_faults(activity: dict[str, Any], scope: str) -> list[str]:
    """Everything Teams would refuse, split or drop in a message."""
    return [*_message(activity), *(fault for held in _attached(activity) for fault in _attachment(held, scope))]


def answer_faults(body: Any) -> list[str]:
    """Everything wrong with the answer to an Action.Execute."""
    if not isinstance(body, dict) or set(body) != {"statusCode", "type", "value"}:
        return ["answer: not statusCode, type and value"]
    match body["type"]:
        case "application/vnd.microsoft.card.adaptive":
            return [*card_faults(body["value"]), *vendor_faults(body["value"])]
        case "application/vnd.microsoft.activity.message":
            return [] if isinstance(body["value"], str) and body["value"] else ["answer: no words"]
        case "application/vnd.microsoft.error":
            return [] if {"code", "message"} <= set(body["value"]) else ["answer: no code and message"]
        case other:
            return [f"answer: unknown type {other}"]


def vendor_faults(card: object) -> Iterator[str]:
    """What the vendor's own models refuse, node by node: they do not look into children."""
    for node in _nodes(card):
        model = _models().get(node["type"])
        if model is None:
            yield f"{node['type']}: no such element"
            continue
        try:
            parsed = model.model_validate(node)
        except ValidationError as error:
            yield f"{node['type']}: {error.error_count()} faults"
            continue
        yield from (f"{node['type']}: unknown {name}" for name in parsed.model_extra or {} if name != "$schema")


def _message(activity: dict[str, Any]) -> Iterator[str]:
    text, attachments = activity.get("text"), _attached(activity)
    if activity.get("type") == "typing":
        yield from _typing(activity)
        return
    if activity.get("type") != "message":
        yield f"message: type {activity.get('type')}"
    yield from _entities(activity)
    if bool(text) == bool(attachments) and not (text and stream_of(activity)):
        yield "message: needs either words or one attachment"
    if len(attachments) > 1:
        yield "message: more than one attachment"
    size = len(json.dumps(_without_pictures(activity), ensure_ascii=False).encode("utf-16-le"))
    if size > MOST_BYTES:
        yield f"message: {size} bytes, allowed {MOST_BYTES}"


def stream_of(activity: dict[str, Any]) -> dict[str, Any]:
    """Where the activity stands in its stream; nothing for one that is of none."""
    entities = activity.get("entities") or []
    return next((entity for entity in entities if entity.get("type") == "streaminfo"), {})


def _typing(activity: dict[str, Any]) -> Iterator[str]:
    told = stream_of(activity)
    if bool(told) != bool(activity.get("text")) or _attached(activity) or activity.get("channelData"):
        yield "typing: words belong to a stream, everything else to its final message"
    if told.get("streamType") == "informative" and len(activity["text"]) > 1000:
        yield "stream: an informative step of more than 1000 characters"


def _entities(activity: dict[str, Any]) -> Iterator[str]:
    """An entity that says nothing but its type was lost on the way; one message carries one AI label at most."""
    entities = activity.get("entities") or []
    yield from (f"entity: {entity.get('type')} is empty" for entity in entities if set(entity) <= {"type"})
    labels = [entity for entity in entities if entity.get("type") == "https://schema.org/Message"]
    if len(labels) > 1:
        yield "entity: two labels"
    for label in labels:
        if (label.get("@type"), label.get("@context")) != ("Message", "https://schema.org"):
            yield "label: not of schema.org"
        cited = label.get("citation") or []
        if label.get("additionalType") != ["AIGeneratedContent"] or len(cited) > 20:
            yield "label: says nothing, or cites too much"
        for number, claim in enumerate(cited, 1):
            yield from _claim(number, claim, json.dumps(activity, ensure_ascii=False))


def _claim(number: int, claim: dict[str, Any], message: str) -> Iterator[str]:
    shown = claim.get("appearance", {})
    if (claim.get("@type"), claim.get("position"), shown.get("@type")) != ("Claim", number, "DigitalDocument"):
        yield "citation: not a claim in its place"
    if not 0 < len(shown.get("name", "")) <= 80 or not 0 < len(shown.get("abstract", "")) <= 160:
        yield "citation: name or abstract of no or too many characters"
    if f"[{number}]" not in message:
        yield f"citation: the words do not refer to [{number}]"


def _attachment(attached: dict[str, Any], scope: str) -> Iterator[str]:
    kind, content = attached.get("contentType", ""), attached.get("content")
    if kind == CARD:
        yield from card_faults(content)
        yield from vendor_faults(content)
        yield from (f"picture: {len(url)} characters" for url in _pictures(content) if len(url) > MOST_PICTURE_BYTES)
    elif kind in _CONTENT:
        if scope != "personal":
            yield f"{kind}: only in personal chats"
        if not attached.get("name") or not isinstance(content, dict) or set(content) != _CONTENT[kind]:
            yield f"{kind}: lacks a name or holds something else"
    else:
        yield f"attachment: type {kind}"


def _attached(activity: dict[str, Any]) -> list[dict[str, Any]]:
    return activity.get("attachments") or []


@cache
def _models() -> dict[str, type[BaseModel]]:
    models = [held for held in vars(core).values() if isinstance(held, type) and issubclass(held, BaseModel)]
    return {model.model_fields["type"].default: model for model in models if "type" in model.model_fields}


def _nodes(node: object) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        if "type" in node:
            yield node
        for held in node.values():
            yield from _nodes(held)
    elif isinstance(node, list):
        for item in node:
            yield from _nodes(item)


def _pictures(node: object) -> Iterator[str]:
    yield from (held["url"] for held in _nodes(node) if held["type"] == "Image")


def _without_pictures(node: object) -> object:
    if isinstance(node, dict):
        return {name: _without_pictures(held) for name, held in node.items()}
    if isinstance(node, list):
        return [_without_pictures(item) for item in node]
    return "" if isinstance(node, str) and node.startswith("data:") else node
