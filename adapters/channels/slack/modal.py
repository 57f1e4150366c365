"""The dialogs that buttons and shortcuts open, and what was filled in."""

from collections.abc import Mapping
from typing import Any, Final

from adapters.channels.slack.fields import Record, records, text
from agent.wording.texts import say
from cards.forms import Form, FormField
from cards.limits import SLACK
from cards.render.clean import clean, clip
from semantic_catalog.model import Locale

PRESSED: Final = "countersign_form"
"""The dialog of a button: what was filled in goes with what the button carries."""

ASKED: Final = "countersign_ask"
"""The dialog of a shortcut: what was filled in is a question."""

ENTERED: Final = "value"

Json = dict[str, Any]


def form_view(form: Form, locale: Locale, metadata: str, callback: str = PRESSED) -> Json:
    """The view that `views.open` takes. `metadata` comes back with the answer; each block is named by its field."""
    note = [{"type": "section", "text": _plain(form.note, SLACK.section)}] if form.note else []
    return {
        "type": "modal",
        "callback_id": callback,
        "private_metadata": metadata,
        "title": _plain(form.title, SLACK.modal_title),
        "submit": _plain(form.submit, SLACK.modal_submit),
        "close": _plain(say(locale, "slack.close"), SLACK.modal_submit),
        "blocks": [*note, *(block for field in form.fields for block in _field(field))],
    }


def entered(view: Record) -> Mapping[str, str]:
    """What was filled in, by field; an empty field reads as empty."""
    values = view.get("state")
    held = values.get("values") if isinstance(values, Mapping) else None
    if not isinstance(held, Mapping):
        return {}
    return {str(key): _value(block) for key, block in held.items()}


def offered(view: Record, field: str) -> str:
    """What stood in the field when the dialog was opened."""
    block = next((held for held in records(view, "blocks") if text(held, "block_id") == field), {})
    return text(block, "element", "initial_value")


def _value(block: object) -> str:
    return (text(block, ENTERED, "value") or text(block, ENTERED, "selected_option", "value")).strip()


def _field(field: FormField) -> list[Json]:
    element = _select(field) if field.kind == "choice" else _input(field)
    if element is None:
        return []
    hint = {"hint": _plain(field.hint, SLACK.modal_label)} if field.hint else {}
    return [
        {
            "type": "input",
            "block_id": field.key,
            "optional": not field.required,
            "label": _plain(field.label, SLACK.modal_label),
            "element": element,
            **hint,
        }
    ]


def _select(field: FormField) -> Json | None:
    options = [
        {"text": _plain(label, SLACK.button_label), "value": value}
        for label, value in field.options
        if 0 < len(value) <= SLACK.option_value
    ]
    if not options:
        return None
    placeholder = {"placeholder": _plain(field.placeholder, SLACK.modal_placeholder)} if field.placeholder else {}
    return {"type": "static_select", "action_id": ENTERED, "options": options[: SLACK.options], **placeholder}


def _input(field: FormField) -> Json:
    placeholder = {"placeholder": _plain(field.placeholder, SLACK.modal_placeholder)} if field.placeholder else {}
    initial = {"initial_value": clip(field.initial, SLACK.modal_input)} if field.initial else {}
    return {
        "type": "plain_text_input",
        "action_id": ENTERED,
        "multiline": True,
        "max_length": SLACK.modal_input,
        **placeholder,
        **initial,
    }


def _plain(words: str, limit: int) -> Json:
    return {"type": "plain_text", "text": clip(clean(words), limit) or "—", "emoji": False}
