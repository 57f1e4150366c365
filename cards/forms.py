"""Forms that a button opens, where the channel has dialogs: several fields, sent as one action."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from agent.values.turn import CardAction
from cards.elements import Prompt

FieldKind = Literal["words", "code", "choice"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FormField:
    """One field. Of a choice, `options` are (label, value) and empty means that nothing is chosen."""

    key: str
    label: str
    kind: FieldKind = "words"
    initial: str = ""
    placeholder: str = ""
    required: bool = False
    options: tuple[tuple[str, str], ...] = ()
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """What a button asks before it sends. `note` stands above the fields."""

    title: str
    submit: str
    fields: tuple[FormField, ...]
    note: str = ""


class ContradictoryForm(ValueError):
    """Two fields say different things; `field` is where to say so."""

    def __init__(self, field: str) -> None:
        self.field = field
        super().__init__(field)


WORDS = "text"
SQL = "sql"
EDITS = ("period", "limit", "grouping")
OFTEN, TIME, CONDITION = "often", "time", "condition"


def filled(action: CardAction, values: Mapping[str, str], sql_before: str = "") -> CardAction:
    """The button's action with what was filled in: edited SQL as it is, everything else as words in one line.

    Raises `ContradictoryForm` where the SQL was edited and something else was asked for too.
    """
    wished = [values[key].strip() for key in (*EDITS, OFTEN, TIME, WORDS, CONDITION) if values.get(key, "").strip()]
    sql = values.get(SQL, "").strip()
    if not sql or sql == sql_before.strip():
        return replace(action, text="; ".join(wished))
    if wished:
        raise ContradictoryForm(SQL)
    return replace(action, text=sql)


def form_of_prompt(prompt: Prompt) -> Form:
    """The one text box that a prompt asks for."""
    field = FormField(
        key=WORDS,
        label=prompt.label,
        initial=prompt.initial,
        placeholder=prompt.placeholder,
        required=prompt.required,
    )
    return Form(title=prompt.title, submit=prompt.submit, fields=(field,))
