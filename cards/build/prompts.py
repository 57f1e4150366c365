"""What a button asks before it sends. A channel that opens its own dialog on a click finds its words here."""

from agent.values.turn import CardAction
from agent.wording.texts import say
from cards.build.file import file_change_prompt
from cards.build.schedule import schedule_prompt
from cards.elements import Prompt
from semantic_catalog.model import Locale


def prompt_of(action: CardAction, locale: Locale) -> Prompt | None:
    """The prompt of the button that carries `action`; None for a button that sends at once."""
    match action.verb:
        case "reject":
            return reject_prompt(locale)
        case "change":
            return change_prompt(locale)
        case "thumbs_down":
            return thumbs_prompt(locale)
        case "request_access":
            return access_prompt(locale)
        case "schedule":
            return schedule_prompt(locale)
        case "file_change":
            return file_change_prompt(locale)
        case _:
            return None


def change_prompt(locale: Locale) -> Prompt:
    """Asks what to change: words, or SQL."""
    return Prompt(
        title=say(locale, "approval.change_title"),
        label=say(locale, "approval.change_label"),
        submit=say(locale, "approval.change_submit"),
        placeholder=say(locale, "approval.change_placeholder"),
        required=True,
    )


def reject_prompt(locale: Locale) -> Prompt:
    """Asks for the reason of a rejection; it may be left empty."""
    return Prompt(
        title=say(locale, "button.reject_title"),
        label=say(locale, "button.reject_label"),
        submit=say(locale, "button.reject_submit"),
        placeholder=say(locale, "button.reject_placeholder"),
    )


def thumbs_prompt(locale: Locale) -> Prompt:
    """Asks what was wrong with an answer; it may be left empty."""
    return Prompt(
        title=say(locale, "dialog.thumbs_title"),
        label=say(locale, "dialog.thumbs_label"),
        submit=say(locale, "dialog.thumbs_submit"),
        placeholder=say(locale, "dialog.thumbs_placeholder"),
    )


def access_prompt(locale: Locale) -> Prompt:
    """Asks why somebody needs data that they may not read."""
    return Prompt(
        title=say(locale, "dialog.access_title"),
        label=say(locale, "dialog.access_label"),
        submit=say(locale, "dialog.access_submit"),
        placeholder=say(locale, "dialog.access_placeholder"),
        required=True,
    )
