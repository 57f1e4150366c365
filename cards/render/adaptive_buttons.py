"""The buttons of an Adaptive Card, and what comes back when one is pressed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from microsoft_teams.cards import core

from agent.values.turn import CardAction
from cards.actions import MalformedAction, decode_action, encode_action
from cards.elements import Actions, Button, Prompt
from cards.forms import Form
from cards.limits import TEAMS
from cards.render.adaptive_forms import FIELDS, form_body, form_data, sent_action
from cards.render.button_groups import named_groups

_STYLES: Final[Mapping[str, core.ActionStyle]] = {"default": "default", "primary": "positive", "danger": "destructive"}

# Characters of the labels in one row, and what the edges of a button take of it.
_WIDE: Final = 88
_AROUND: Final = 4

_Labelled = tuple[str, core.Action]

NO_FORMS: Final[Mapping[str, Form]] = MappingProxyType({})


def button_rows(actions: Actions, ids: Iterator[int], forms: Mapping[str, Form] = NO_FORMS) -> Iterator[core.ActionSet]:
    """Rows of at most `TEAMS.actions` buttons. `ids` number the inputs, which are unique in the whole card.

    Every button carries `{"action": <encoded>}`; with a prompt also `"input"`, the id its text comes back under. One
    choice of several is behind one button that opens them. A button whose encoded action `forms` names unfolds that
    form instead, and says under `"fields"` where its fields come back.
    """
    groups = named_groups(actions.buttons)
    yield from _rows([_group(name, buttons, ids, forms) for name, buttons in groups])


def _rows(drawn: Sequence[_Labelled]) -> Iterator[core.ActionSet]:
    """As many in a row as Teams takes and a message is wide: it cuts off what stands further right."""
    row: list[core.Action] = []
    taken = 0
    for label, action in drawn:
        if row and (taken + len(label) + _AROUND > _WIDE or len(row) == TEAMS.actions):
            yield core.ActionSet(actions=row)
            row, taken = [], 0
        row.append(action)
        taken += len(label) + _AROUND
    if row:
        yield core.ActionSet(actions=row)


def _group(name: str, buttons: tuple[Button, ...], ids: Iterator[int], forms: Mapping[str, Form]) -> _Labelled:
    drawn = [(button.label, _button(button, next(ids), forms)) for button in buttons]
    if not name:
        return drawn[0]
    return name, core.ShowCardAction(title=name, card=core.AdaptiveCard(version="1.5", body=[*_rows(drawn)]))


def _button(button: Button, number: int, forms: Mapping[str, Form]) -> core.Action:
    form, prompt = forms.get(encode_action(button.action)), button.prompt
    if form is not None:
        prefix = f"field_{number}"
        return _unfolding(button, list(form_body(form, prefix)), _execute(button, form.submit, form_data(form, prefix)))
    if prompt is None:
        return _execute(button, button.label, {})
    target = f"text_{number}"
    send = _execute(button, prompt.submit or button.label, {"input": target})
    return _unfolding(button, [_input(prompt, target)], send)


def _unfolding(button: Button, body: list[core.CardElement], send: core.Action) -> core.Action:
    return core.ShowCardAction(
        title=button.label,
        style=_STYLES[button.style],
        card=core.AdaptiveCard(version="1.5", body=body, actions=[send]),
    )


def _execute(button: Button, title: str, extra: Mapping[str, Any]) -> core.Action:
    style, data = _STYLES[button.style], {"action": encode_action(button.action), **extra}
    inputs: core.AssociatedInputs = "auto" if extra else "none"
    return core.ExecuteAction(
        verb=button.action.verb,
        title=title,
        style=style,
        associated_inputs=inputs,
        data=data,
        fallback=core.SubmitAction(title=title, style=style, associated_inputs=inputs, data=data),
    )


def _input(prompt: Prompt, target: str) -> core.TextInput:
    return core.TextInput(
        id=target,
        label=prompt.label,
        placeholder=prompt.placeholder,
        value=prompt.initial,
        is_multiline=True,
        max_length=TEAMS.input,
        is_required=prompt.required or None,
        error_message=prompt.label if prompt.required else None,
    )


def pressed_action(data: object) -> CardAction:
    """The action of a pressed button from what Teams sends back: `data` of an Execute, `value` of a Submit.

    Raises `MalformedAction` for anything that `button_rows` did not write, `ContradictoryForm` for a form whose fields
    say different things.
    """
    if not isinstance(data, dict) or not isinstance(data.get("action"), str):
        raise MalformedAction
    action = decode_action(data["action"])
    if FIELDS in data:
        return sent_action(action, data)
    return replace(action, text=_typed(data).strip() or action.text)


def _typed(data: dict[str, Any]) -> str:
    target = data.get("input", "")
    typed = data.get(target, "") if isinstance(target, str) else None
    if not isinstance(typed, str):
        raise MalformedAction
    return typed
