from typing import Any

import pytest

from tests.fakes.teams.rules import message_faults
from tests.fakes.teams.streams import Stream
from tests.validators.adaptive_cards import card_faults

CLAIM = {
    "@type": "Claim",
    "position": 1,
    "appearance": {"@type": "DigitalDocument", "name": "Daily metrics", "abstract": "25–31 Oct 2026"},
}
LABEL = {
    "type": "https://schema.org/Message",
    "@type": "Message",
    "@context": "https://schema.org",
    "additionalType": ["AIGeneratedContent"],
    "citation": [CLAIM],
}
STEP = {"type": "streaminfo", "streamType": "streaming", "streamSequence": 1, "streamId": "s"}
REFRESH = {"type": "Action.Execute", "verb": "refresh", "data": {"refresh": "{}"}}


def message(*entities: dict[str, Any], text: str = "The rate was 86.9 % [1].") -> dict[str, Any]:
    return {"type": "message", "text": text, "entities": list(entities)}


def typing(text: str, **info: Any) -> dict[str, Any]:
    return {"type": "typing", "text": text, "entities": [{**STEP, **info}]}


@pytest.mark.parametrize(
    "activity", [message(LABEL), {"type": "typing"}, typing("The"), message({**STEP, "streamType": "final"})]
)
def test_legal_activities_pass(activity: dict[str, Any]) -> None:
    assert message_faults(activity, "personal") == []


@pytest.mark.parametrize(
    "activity",
    [
        message({"type": "https://schema.org/Message"}),
        message(LABEL, LABEL),
        message({**LABEL, "@type": "Thing"}),
        message({**LABEL, "additionalType": []}),
        message({**LABEL, "citation": [CLAIM] * 21}),
        message({**LABEL, "citation": [{**CLAIM, "position": 2}]}),
        message({**LABEL, "citation": [{**CLAIM, "appearance": {**CLAIM["appearance"], "name": "x" * 81}}]}),  # type: ignore[dict-item]
        message(LABEL, text="The words refer to nothing."),
        {"type": "typing", "text": "words of no stream"},
        typing(""),
        typing("x" * 1001, streamType="informative"),
        {**typing("The"), "channelData": {"feedbackLoop": {"type": "default"}}},
    ],
)
def test_illegal_activities_are_found(activity: dict[str, Any]) -> None:
    assert message_faults(activity, "personal")


def test_a_stream_that_goes_on_step_by_step_passes() -> None:
    stream = Stream(conversation="a:1")
    assert stream.take(typing("The"), {**STEP, "streamSequence": 1}, 0) == []
    assert stream.take(typing("The rate"), {**STEP, "streamSequence": 2}, 1.5) == []
    last = {"type": "streaminfo", "streamType": "final", "streamId": "s"}
    assert stream.take(message(last), last, 3) == []


@pytest.mark.parametrize(
    ("text", "sequence", "at"), [("The rate", 2, 0.5), ("The rate", 3, 1.5), ("A rate", 2, 1.5), ("The rate", 2, 121)]
)
def test_a_stream_that_teams_would_break_off_is_found(text: str, sequence: int, at: float) -> None:
    stream = Stream(conversation="a:1")
    stream.take(typing("The"), {**STEP, "streamSequence": 1}, 0)
    assert stream.take(typing(text), {**STEP, "streamSequence": sequence}, at)


def test_a_stream_ends_once_as_a_message() -> None:
    last = {**STEP, "streamType": "final"}
    stream = Stream(conversation="a:1")
    assert len(stream.take({**typing("x"), "entities": [last]}, last, 0)) == 2
    assert stream.take(message(last), last, 2)


@pytest.mark.parametrize(
    "extra",
    [
        {"refresh": {"action": REFRESH, "userIds": [f"29:{n}" for n in range(61)]}},
        {"refresh": {"action": REFRESH, "userIds": []}},
        {"refresh": {"action": REFRESH, "userIds": ["an-object-id"]}},
        {"refresh": {"action": {**REFRESH, "data": {"action": "{}"}}, "userIds": ["29:1"]}},
        {"refresh": {"userIds": ["29:1"]}},
        {"body": [{"type": "TextBlock", "text": "<at>Ana</at>", "wrap": True}]},
        {"body": [{"type": "Input.ChoiceSet", "id": "a", "label": "x"}]},
        {"body": [{"type": "Chart.Pie", "data": [{"legend": "POS", "value": 1}]}]},
    ],
)
def test_cards_that_teams_would_misread_are_found(extra: dict[str, Any]) -> None:
    assert card_faults({"type": "AdaptiveCard", "version": "1.5", **extra})
