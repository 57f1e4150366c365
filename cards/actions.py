"""What a button carries through a channel and back: one short, versioned string."""

import json
from collections.abc import Mapping
from typing import Final, get_args

from agent.values.identity import RunId
from agent.values.turn import ActionVerb, CardAction, TurnKind
from semantic_catalog.errors import AskerError

MAX_LENGTH: Final = 2000
"""Slack's limit for a button's value, the smallest of the channels'."""

_VERSION: Final = 1
_VERBS: Final[Mapping[str, ActionVerb]] = {verb: verb for verb in get_args(ActionVerb)}
_KEYS: Final = frozenset("arfpt")
_KINDS: Final[Mapping[ActionVerb, TurnKind]] = {
    "approve": "decision",
    "approve_always": "decision",
    "reject": "decision",
    "change": "decision",
    "choose": "choice",
    "cancel": "cancel",
    "command": "command",
}


class MalformedAction(AskerError):
    """A click whose content this version did not write: an old card, or a forged one."""

    code = "malformed_action"


def encode_action(action: CardAction) -> str:
    """`action` as compact JSON, which `decode_action` reads back as the same value.

    At most `MAX_LENGTH` characters for every action that `fits`; an action that does not fit is not for a button.
    """
    fields = {
        "a": action.verb,
        "r": action.run or "",
        "f": action.fingerprint,
        "p": action.value,
        "t": action.text,
    }
    carried = {key: text for key, text in fields.items() if text}
    return json.dumps({"v": _VERSION, **carried}, ensure_ascii=False, separators=(",", ":"))


def fits(action: CardAction) -> bool:
    """Whether a channel can carry the action in a button: short enough, and text that can be written as UTF-8."""
    encoded = encode_action(action)
    return len(encoded) <= MAX_LENGTH and not any("\ud800" <= character <= "\udfff" for character in encoded)


def decode_action(encoded: str) -> CardAction:
    """The action that `encode_action` wrote. Raises `MalformedAction` for anything else."""
    fields = _fields(encoded)
    verb = _VERBS.get(fields.get("a", ""))
    if verb is None:
        raise MalformedAction
    return CardAction(
        verb=verb,
        run=RunId(fields["r"]) if fields.get("r") else None,
        fingerprint=fields.get("f", ""),
        value=fields.get("p", ""),
        text=fields.get("t", ""),
    )


def turn_kind(action: CardAction) -> TurnKind:
    """The kind of turn a pressed button is: a decision, a choice, a cancel, or feedback (everything else)."""
    return _KINDS.get(action.verb, "feedback")


def _fields(encoded: str) -> dict[str, str]:
    if len(encoded) > MAX_LENGTH:
        raise MalformedAction
    try:
        data: object = json.loads(encoded)
    except (ValueError, RecursionError) as error:
        raise MalformedAction from error
    if not isinstance(data, dict) or type(data.get("v")) is not int or data.pop("v") != _VERSION:
        raise MalformedAction
    if not all(key in _KEYS and isinstance(text, str) for key, text in data.items()):
        raise MalformedAction
    return data
