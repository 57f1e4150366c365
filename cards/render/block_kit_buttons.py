"""Slack's buttons, selects and thumbs, and the language they speak."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from agent.values.identity import RunId
from agent.values.turn import ActionVerb
from cards.actions import decode_action, encode_action
from cards.elements import Actions, Button
from cards.limits import SLACK
from cards.render.clean import clip
from semantic_catalog.model import LOCALES, Locale

Json = dict[str, Any]

BUTTONS_IN_A_ROW: Final = 5
"""More buttons that differ in their value alone become a select."""

_ACCESSIBLE: Final = 75


def buttons(actions: Actions) -> Iterator[Json]:
    """The row's blocks: thumbs as Slack's own, many choices as a select, everything else as buttons.

    Ids are given by `numbered`.
    """
    thumbs = [button for button in actions.buttons if button.action.verb in ("thumbs_up", "thumbs_down")]
    paired = len(thumbs) == len({button.action.verb for button in thumbs}) == 2  # up and down
    plain = [button for button in actions.buttons if not (paired and button in thumbs)]
    elements = [element for group in _groups(plain) for element in _drawn(group, actions.placeholder)]
    if elements:
        yield {"type": "actions", "elements": elements}
    if paired:
        yield {"type": "context_actions", "elements": [_feedback(*sorted(thumbs, key=_is_down))]}


def button(drawn: Button) -> Json:
    """One button."""
    style = {} if drawn.style == "default" else {"style": drawn.style}
    return {
        "type": "button",
        "action_id": drawn.action.verb,
        "text": _plain(drawn.label),
        "value": encode_action(drawn.action),
        **style,
    }


def numbered(blocks: list[Json], locale: Locale) -> list[Json]:
    """Every button gets an id of its own in the message, which also carries the card's language (`locale_of`)."""
    for index, element in enumerate(pressable(blocks)):
        element["action_id"] = f"{element['action_id']}:{index}:{locale}"
    return blocks


def pressable(blocks: list[Json]) -> Iterator[Json]:
    """Everything in the blocks that can be pressed, in order."""
    for block in blocks:
        if block["type"] in ("actions", "context_actions"):
            yield from block["elements"]
        elif "accessory" in block:
            yield block["accessory"]


def is_select(actions: Actions) -> bool:
    """Whether the whole row is drawn as one select."""
    groups = _groups(actions.buttons)
    return len(groups) == 1 and _is_choice(groups[0])


def locale_of(action_id: str) -> Locale:
    """The language of the card whose button has this id: the language to ask further in."""
    ending = action_id.rpartition(":")[2]
    return next((locale for locale in LOCALES if locale == ending), "en")


def chosen_action(action_id: str, option: str) -> str:
    """What the option of a select carries, as a button of its own would have carried it.

    Raises `MalformedAction` for a select that this version did not draw.
    """
    action = decode_action(f'{{"v":1,"a":"{_verb(action_id)}"}}')
    run = action_id.split(":")[1] if action_id.count(":") > 2 else ""  # verb:run:number:language
    return encode_action(replace(action, run=RunId(run) if run else None, value=option))


def _verb(action_id: str) -> str:
    verb = action_id.partition(":")[0]
    return verb if verb.isidentifier() else ""


def _groups(plain: Sequence[Button]) -> list[list[Button]]:
    """Neighbours of one verb together."""
    groups: list[list[Button]] = []
    for each in plain:
        if groups and _kind(groups[-1][0]) == _kind(each):
            groups[-1].append(each)
        else:
            groups.append([each])
    return groups


def _kind(each: Button) -> tuple[ActionVerb, RunId | None, str, str, bool, str]:
    action = each.action
    return (action.verb, action.run, action.fingerprint, action.text, each.prompt is None, each.listed_as)


def _drawn(group: list[Button], placeholder: str) -> list[Json]:
    if _is_choice(group):
        return [_select(group, group[0].listed_as or placeholder)]
    return [button(each) for each in group]


def _is_choice(group: list[Button]) -> bool:
    """Whether a select is wanted and can carry the group: an option holds less than a button does."""
    first, values = group[0].action, [each.action.value for each in group]
    return (
        (1 if group[0].listed_as else BUTTONS_IN_A_ROW) < len(group) <= SLACK.options
        and not (first.fingerprint or first.text or group[0].prompt)
        and len(set(values)) == len(values)
        and all(0 < len(value) <= SLACK.option_value for value in values)
        and ":" not in (first.run or "")
    )


def _select(group: list[Button], placeholder: str) -> Json:
    first = group[0].action
    words = placeholder or "…"
    options = [{"text": _plain(each.label), "value": each.action.value, **_described(each)} for each in group]
    return {
        "type": "static_select",
        "action_id": f"{first.verb}:{first.run or ''}",
        "placeholder": _plain(words, SLACK.modal_placeholder),
        "options": options,
    }


def _described(each: Button) -> Json:
    return {"description": _plain(each.hint)} if each.hint else {}


def _is_down(each: Button) -> bool:
    return each.action.verb == "thumbs_down"


def _feedback(up: Button, down: Button) -> Json:
    return {
        "type": "feedback_buttons",
        "action_id": "thumbs",
        "positive_button": _thumb(up),
        "negative_button": _thumb(down),
    }


def _thumb(each: Button) -> Json:
    spoken = {"accessibility_label": clip(each.hint, _ACCESSIBLE)} if each.hint else {}
    return {"text": _plain(each.label), "value": encode_action(each.action), **spoken}


def _plain(text: str, limit: int = SLACK.button_label) -> Json:
    return {"type": "plain_text", "text": clip(text, limit), "emoji": False}
