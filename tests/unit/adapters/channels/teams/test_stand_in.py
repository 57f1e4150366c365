from typing import Any

import aiohttp
import pytest

from tests.fakes.teams.connector import teams_stand_in
from tests.fakes.teams.rules import answer_faults, message_faults, vendor_faults

CARD = {
    "type": "AdaptiveCard",
    "version": "1.5",
    "body": [{"type": "TextBlock", "text": "Hello", "wrap": True}],
}


def _message(*attachments: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"type": "message", "attachments": list(attachments), **fields}


def _card(**changes: Any) -> dict[str, Any]:
    return {"contentType": "application/vnd.microsoft.card.adaptive", "content": {**CARD, **changes}}


CONSENT = {
    "contentType": "application/vnd.microsoft.teams.card.file.consent",
    "name": "a.xlsx",
    "content": {"description": "x", "sizeInBytes": 1, "acceptContext": {}, "declineContext": {}},
}


@pytest.mark.parametrize("message", [_message(_card()), _message(text="hello"), _message(CONSENT)])
def test_legal_messages_pass(message: dict[str, Any]) -> None:
    assert message_faults(message, "personal") == []


@pytest.mark.parametrize(
    ("message", "scope"),
    [
        (_message(), "personal"),
        (_message(_card(), text="and words"), "personal"),
        (_message(_card(), _card()), "personal"),
        (_message(text="hello", type="event"), "personal"),
        (_message(CONSENT), "channel"),
        (_message({**CONSENT, "name": ""}), "personal"),
        (_message({**CONSENT, "content": {}}), "personal"),
        (_message({"contentType": "image/png"}), "personal"),
        (_message(_card(version="1.6")), "personal"),
        (_message(_card(body=[{"type": "Mystery"}])), "personal"),
        (_message(_card(body=[{"type": "TextBlock", "text": "x" * 15_000, "wrap": True}])), "personal"),
        (_message(_card(body=[{"type": "Input.Text", "id": "a", "label": "x"}] * 2)), "personal"),
        (_message(_card(body=[{"type": "TextBlock", "text": "**bold**", "wrap": True}])), "personal"),
        (_message(text="x" * 40_001), "personal"),
        (
            _message(_card(body=[{"type": "Image", "altText": "x", "url": "data:image/png;base64," + "A" * 100_000}])),
            "personal",
        ),
    ],
)
def test_illegal_messages_are_found(message: dict[str, Any], scope: str) -> None:
    assert message_faults(message, scope)


def test_the_vendors_models_are_asked_about_every_node() -> None:
    assert list(vendor_faults(CARD)) == []
    assert list(vendor_faults({**CARD, "body": [{"type": "TextBlock", "text": 5}]}))
    assert list(vendor_faults({**CARD, "body": [{"type": "Mystery"}]}))


@pytest.mark.parametrize(
    "body",
    [
        None,
        {},
        {"statusCode": 200, "type": "application/vnd.microsoft.activity.message", "value": ""},
        {"statusCode": 200, "type": "application/vnd.microsoft.card.adaptive", "value": {}},
        {"statusCode": 400, "type": "application/vnd.microsoft.error", "value": {}},
        {"statusCode": 200, "type": "text/plain", "value": "x"},
    ],
)
def test_illegal_answers_are_found(body: object) -> None:
    assert answer_faults(body)


async def test_an_illegal_message_fails_the_test() -> None:
    with pytest.raises(AssertionError, match="would not have taken"):
        async with teams_stand_in() as teams:
            teams.faults.append("message: type event")


async def test_too_many_messages_at_once_are_asked_to_wait() -> None:
    headers = {"Authorization": "Bearer the-bots-own-token"}
    body = {"type": "message", "text": "x", "conversation": {"id": "a:1"}, "from": {"id": "28:bot"}}
    async with teams_stand_in() as teams, aiohttp.ClientSession(headers=headers) as session:
        teams.meet("a:1", "personal")
        url = f"{teams.service_url}v3/conversations/a:1/activities"
        statuses = []
        for _ in range(8):
            async with session.post(url, json=body) as response:
                statuses.append((response.status, response.headers.get("Retry-After")))
    assert statuses == [(201, None)] * 7 + [(429, "1")]
