"""An Adaptive Card's typed models as the JSON that Teams takes."""

from typing import Any, Final

from microsoft_teams.cards import core

Json = dict[str, Any]

_SCHEMA: Final = "http://adaptivecards.io/schemas/adaptive-card.json"


def card_json(card: core.AdaptiveCard) -> Json:
    """The whole card as JSON types, under its schema; a field that was not set is not written."""
    # The model would write its own schema field without the dollar.
    return {"$schema": _SCHEMA, **_whole_numbers(card.model_dump(mode="json", by_alias=True, exclude_none=True))}


def _whole_numbers(node: Any) -> Any:
    """The models hold every number as a float, where the card's schema counts: `1.0` is written `1`."""
    if isinstance(node, dict):
        return {name: _whole_numbers(held) for name, held in node.items()}
    if isinstance(node, list):
        return [_whole_numbers(item) for item in node]
    return int(node) if isinstance(node, float) and node.is_integer() else node
