"""The dialog that a button with a prompt opens: one text box."""

from typing import Any, Final

from agent.wording.texts import say
from cards.elements import Prompt
from cards.limits import SLACK
from cards.render.clean import clip
from semantic_catalog.model import Locale

CALLBACK: Final = "countersign_prompt"
ANSWER_BLOCK: Final = "answer"
ANSWER_INPUT: Final = "text"

Json = dict[str, Any]


def prompt_view(prompt: Prompt, locale: Locale, metadata: str) -> Json:
    """The view that `views.open` takes. `metadata` comes back with the answer."""
    return {
        "type": "modal",
        "callback_id": CALLBACK,
        "private_metadata": metadata,
        "title": _plain(prompt.title, SLACK.modal_title),
        "submit": _plain(prompt.submit, SLACK.modal_submit),
        "close": _plain(say(locale, "slack.close"), SLACK.modal_submit),
        "blocks": [
            {
                "type": "input",
                "block_id": ANSWER_BLOCK,
                "optional": not prompt.required,
                "label": _plain(prompt.label, SLACK.modal_label),
                "element": _input(prompt),
            }
        ],
    }


def _input(prompt: Prompt) -> Json:
    placeholder = {"placeholder": _plain(prompt.placeholder, SLACK.modal_placeholder)} if prompt.placeholder else {}
    initial = {"initial_value": clip(prompt.initial, SLACK.modal_input)} if prompt.initial else {}
    return {
        "type": "plain_text_input",
        "action_id": ANSWER_INPUT,
        "multiline": True,
        "max_length": SLACK.modal_input,
        **placeholder,
        **initial,
    }


def _plain(text: str, limit: int) -> Json:
    return {"type": "plain_text", "text": clip(text, limit), "emoji": False}
