"""The buttons of an Adaptive Card, and what comes back when one is pressed."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from agent.values.turn import CardAction
from cards.actions import MalformedAction, decode_action, encode_action
from cards.elements import Actions, Button, Prompt
from cards.limits import TEAMS

Json = dict[str, Any]
_STYLES: Final = {"default": "default", "primary": "positive", "danger": "destructive"}


def button_rows(actions: Actions, ids: Iterator[int]) -> Iterator[Json]:
    """Rows of at most `TEAMS.actions` buttons. `ids` number the inputs, which are unique in the whole card.

    Every button carries `{"action": <encoded>}`; with a prompt also `"input"`, the id its text comes back under.
    """
    drawn = [_button(button, next(ids)) for button in actions.buttons]
    for start in range(0, len(drawn), TEAMS.actions):
        yield {"type": "ActionSet", "actions": drawn[start : start + TEAMS.actions]}


def _button(button: Button, number: int) -> Json:
    prompt = button.prompt
    if prompt is None:
        return _execute(button, button.label, {})
    target = f"text_{number}"
    send = _execute(button, prompt.submit or button.label, {"input": target})
    return {
        "type": "Action.ShowCard",
        "title": button.label,
        "style": _STYLES[button.style],
        "card": {"type": "AdaptiveCard", "version": "1.5", "body": [_input(prompt, target)], "actions": [send]},
    }


def _execute(button: Button, title: str, extra: Json) -> Json:
    look = {"title": title, "style": _STYLES[button.style]}
    inputs = {"associatedInputs": "auto" if extra else "none"}
    data = {"action": encode_action(button.action), **extra}
    submit = {"type": "Action.Submit", **look, **inputs, "data": data}
    return {
        "type": "Action.Execute",
        "verb": button.action.verb,
        **look,
        **inputs,
        "data": data,
        "fallback": submit,
    }


def _input(prompt: Prompt, target: str) -> Json:
    required = {"isRequired": True, "errorMessage": prompt.label} if prompt.required else {}
    return {
        "type": "Input.Text",
        "id": target,
        "label": prompt.label,
        "placeholder": prompt.placeholder,
        "value": prompt.initial,
        "isMultiline": True,
        "maxLength": TEAMS.input,
        **required,
    }


def pressed_action(data: object) -> CardAction:
    """The action of a pressed button from what Teams sends back: `data` of an Execute, `value` of a Submit.

    Raises `MalformedAction` for anything that `button_rows` did not write.
    """
    if not isinstance(data, dict) or not isinstance(data.get("action"), str):
        raise MalformedAction
    action = decode_action(data["action"])
    return replace(action, text=_typed(data).strip() or action.text)


def _typed(data: Json) -> str:
    target = data.get("input", "")
    typed = data.get(target, "") if isinstance(target, str) else None
    if not isinstance(typed, str):
        raise MalformedAction
    return typed
