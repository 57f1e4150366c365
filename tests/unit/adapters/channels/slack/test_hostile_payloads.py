import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.channels.slack.commands import read_command
from adapters.channels.slack.inbound import inbound_file, read_message
from adapters.channels.slack.installation import Installation
from adapters.channels.slack.interactions import read_click, read_submission
from adapters.channels.slack.thread_ids import NotASlackThread
from tests.fakes.slack.deliveries import Deliveries, sample
from tests.fakes.slack.workspace import Json
from tests.unit.adapters.channels.slack.conftest import Inbox

HOME = Installation(team="T0HOME", enterprise="", bot_id="B0BOT", bot_user="U0BOT")
SAMPLES = (
    "app_mention",
    "message_im",
    "message_thread",
    "file_share",
    "message_changed",
    "slash_command",
    "block_actions",
    "view_submission",
)
ODD = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(max_size=20), st.just([]), st.just({}), st.just([None])
)


@st.composite
def _bent(draw: st.DrawFn) -> Json:
    """A sample of which some field, at any depth, is missing or something else."""
    payload = sample(draw(st.sampled_from(SAMPLES)))
    for _ in range(draw(st.integers(1, 3))):
        node = payload
        while (name := draw(st.sampled_from(sorted(node)))) and isinstance(node[name], dict) and node[name]:
            if draw(st.booleans()):
                break
            node = node[name]
        node[name] = draw(ODD)
    return payload


@given(_bent())
def test_a_bent_payload_reads_as_something_or_nothing(payload: Json) -> None:
    message = read_message(payload, HOME)
    inbound_file(payload, "T0HOME")
    read_command(payload, HOME)
    for read in (message, read_click(payload, HOME), read_submission(payload, HOME)):
        with suppress(NotASlackThread):
            assert read is None or read.origin.key.startswith("slack:T0HOME:")


@pytest.mark.parametrize(
    "payload", [{}, {"type": "event_callback"}, {"type": "event_callback", "event": {}}, {"type": "x"}]
)
async def test_a_signed_payload_of_no_known_shape_is_answered(slack: Deliveries, inbox: Inbox, payload: Json) -> None:
    answer = await slack.event(payload)
    assert (answer.status, inbox.turns) == (200, [])


@pytest.mark.parametrize("name", ["block_actions", "view_submission"])
async def test_an_interaction_without_its_person_is_still_no_error(slack: Deliveries, inbox: Inbox, name: str) -> None:
    pressed = '{"v":1,"a":"approve","r":"7F3K"}'
    place = {"channel": "C0SALES", "root": "1793545100.000100", "message": "1793545101.000200"}
    carried = {
        "block_actions": ("actions__0__value", pressed),
        "view_submission": ("view__private_metadata", json.dumps({"action": pressed, **place})),
    }
    path, held = carried[name]
    answer = await slack.interaction(sample(name, user=None, **{path: held}))
    assert (answer.status, inbox.turns) == (200, [])


async def test_a_dialog_that_names_another_conversation_in_vain_is_dropped(slack: Deliveries, inbox: Inbox) -> None:
    odd = json.dumps({"action": '{"v":1,"a":"reject"}', "channel": "c:0", "root": "x", "message": "1.1"})
    answer = await slack.interaction(sample("view_submission", view__private_metadata=odd))
    assert (answer.status, inbox.turns) == (200, [])
