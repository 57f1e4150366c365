from adapters.channels.slack.inbound import Origin
from adapters.channels.slack.interactions import Click, dialog_metadata
from adapters.channels.slack.modal import form_view
from adapters.channels.slack.thread_ids import SlackThread
from agent.values.identity import RunId
from agent.values.turn import Audience, CardAction
from cards.actions import encode_action
from cards.build.prompts import reject_prompt
from cards.elements import Prompt
from cards.forms import form_of_prompt
from semantic_catalog.model import LOCALES
from tests.validators.slack_blocks import view_faults


def _click(encoded: str) -> Click:
    thread = SlackThread(team="T0HOME", channel="C0SALES", root="1793545100.000100")
    return Click(
        origin=Origin(event_id="e", thread=thread, user="U0ANA", user_team="T0HOME", audience=Audience(kind="channel")),
        encoded=encoded,
        action_id="reject:0:en",
        message="1793545101.000200",
        trigger="1.2.3",
    )


def test_the_dialog_is_one_slack_takes_in_every_language() -> None:
    carried = dialog_metadata(_click(encode_action(CardAction(verb="reject", run=RunId("7F3K"), fingerprint="f" * 64))))
    for locale in LOCALES:
        assert view_faults(form_view(form_of_prompt(reject_prompt(locale)), locale, carried)) == []


def test_a_prompt_past_every_limit_is_cut() -> None:
    long = "x" * 5000
    prompt = Prompt(title=long, label=long, submit=long, placeholder=long, initial=long, required=True)
    view = form_view(form_of_prompt(prompt), "en", "")
    assert view_faults(view) == []
    assert view["blocks"][0]["optional"] is False


def test_the_largest_action_fits_into_a_dialog() -> None:
    largest = encode_action(CardAction(verb="reject", run=RunId("7F3K"), value="я" * 1900))
    view = form_view(form_of_prompt(reject_prompt("en")), "en", dialog_metadata(_click(largest)))
    assert view_faults(view) == []
