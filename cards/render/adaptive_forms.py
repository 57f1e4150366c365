"""Forms that unfold under a button of an Adaptive Card, and what comes back when one is sent."""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any, Final

from microsoft_teams.cards import core

from agent.values.turn import CardAction
from cards.actions import MalformedAction
from cards.forms import SQL, Form, FormField, filled
from cards.limits import TEAMS
from cards.render.adaptive_text import small
from cards.render.clean import clean, clip, one_line

FIELDS: Final = "fields"
BEFORE: Final = "before"


def form_data(form: Form, prefix: str) -> dict[str, Any]:
    """What the form's button carries besides its action: under which id each field comes back.

    Of SQL also what it was, as a digest, so that unchanged SQL is seen to be unchanged.
    """
    before = next((field.initial for field in form.fields if field.key == SQL), "")
    return {FIELDS: {field.key: f"{prefix}_{field.key}" for field in form.fields}, BEFORE: _digest(before)}


def form_body(form: Form, prefix: str) -> Iterator[core.CardElement]:
    """The note and the fields, each with its hint below."""
    yield from small(clip(clean(form.note), TEAMS.text))
    for field in form.fields:
        yield _choice(field, prefix) if field.kind == "choice" else _text(field, prefix)
        yield from small(clip(clean(field.hint), TEAMS.text))


def sent_action(action: CardAction, data: Mapping[str, Any]) -> CardAction:
    """The action with what was filled in.

    Raises `MalformedAction` for what no form of ours sends, `ContradictoryForm` where two fields say different things.
    """
    fields = data.get(FIELDS)
    if not isinstance(fields, dict):
        raise MalformedAction
    values = {key: _value(data, target) for key, target in fields.items()}
    sql = values.get(SQL, "")
    return filled(action, values, sql if _digest(sql) == data.get(BEFORE) else "")


def _value(data: Mapping[str, Any], target: object) -> str:
    typed = data.get(target, "") if isinstance(target, str) else None
    if not isinstance(typed, str):
        raise MalformedAction
    return typed


def _digest(sql: str) -> str:
    """Of the words alone: clients return line ends and indents as they like."""
    return hashlib.sha256(" ".join(sql.split()).encode("utf-8", "replace")).hexdigest()[:16]


def _choice(field: FormField, prefix: str) -> core.CardElement:
    choices = [
        core.Choice(title=clip(one_line(clean(label)), TEAMS.label), value=value) for value, label in _once(field)
    ]
    return core.ChoiceSetInput(
        id=f"{prefix}_{field.key}",
        label=field.label,
        placeholder=field.placeholder or None,
        style="compact",
        choices=choices,
        value=field.initial or None,
        is_required=field.required or None,
    )


def _once(field: FormField) -> list[tuple[str, str]]:
    """Each option's value and label, no value twice."""
    return list({value: label for label, value in field.options[: TEAMS.choices]}.items())


def _text(field: FormField, prefix: str) -> core.CardElement:
    return core.TextInput(
        id=f"{prefix}_{field.key}",
        label=field.label,
        placeholder=field.placeholder or None,
        value=clean(field.initial) or None,
        is_multiline=True,
        max_length=TEAMS.input,
        is_required=field.required or None,
        error_message=field.label if field.required else None,
    )
