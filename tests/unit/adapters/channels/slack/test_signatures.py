import json
import time
from collections.abc import Callable

import pytest
from aiohttp import ClientSession

from adapters.channels.slack.app import MAX_BODY_BYTES
from tests.fakes.slack.deliveries import Deliveries, sample, signature
from tests.unit.adapters.channels.slack.conftest import SECRET, Inbox

BODY = json.dumps(sample("app_mention")).encode()


def _headers(**changes: str) -> dict[str, str]:
    now = str(int(time.time()))
    signed = {"X-Slack-Request-Timestamp": now, "X-Slack-Signature": signature(SECRET, BODY, now)}
    return {
        "Content-Type": "application/json",
        **signed,
        **{name.replace("_", "-"): held for name, held in changes.items()},
    }


def _aged(seconds: int) -> dict[str, str]:
    then = str(int(time.time()) - seconds)
    return _headers(X_Slack_Request_Timestamp=then, X_Slack_Signature=signature(SECRET, BODY, then))


@pytest.mark.parametrize(
    "headers",
    [
        lambda: {"Content-Type": "application/json"},
        lambda: _headers(X_Slack_Signature=""),
        lambda: _headers(X_Slack_Signature="v0=" + "0" * 64),
        lambda: _headers(X_Slack_Signature="v0=é"),
        lambda: _headers(X_Slack_Request_Timestamp=""),
        lambda: _headers(X_Slack_Request_Timestamp="soon"),
        lambda: _headers(X_Slack_Request_Timestamp="²"),
        lambda: _headers(X_Slack_Request_Timestamp="9" * 400),
        lambda: _headers(X_Slack_Request_Timestamp=str(int(time.time()) - 1)),
        lambda: _aged(301),
        lambda: _aged(-302),
    ],
    ids=[
        "unsigned",
        "empty",
        "wrong",
        "not ascii",
        "no time",
        "no number",
        "odd digit",
        "huge",
        "moved",
        "old",
        "early",
    ],
)
async def test_what_slack_did_not_sign_now_is_turned_away(
    slack: Deliveries, inbox: Inbox, headers: Callable[[], dict[str, str]]
) -> None:
    answer = await slack.raw(BODY, headers())
    assert (answer.status, inbox.turns) == (401, [])


async def test_a_signature_over_another_body_is_turned_away(slack: Deliveries, inbox: Inbox) -> None:
    answer = await slack.raw(BODY.replace(b"U0ANA", b"U0BOB"), _headers())
    assert (answer.status, inbox.turns) == (401, [])


async def test_a_refused_body_is_not_logged(slack: Deliveries, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO"):
        await slack.raw(BODY, _headers(X_Slack_Signature="v0=" + "0" * 64))
    assert "approval rate" not in caplog.text


async def test_the_very_same_request_is_taken_once(slack: Deliveries, inbox: Inbox) -> None:
    headers = _headers()
    assert (await slack.raw(BODY, headers)).status == 200
    assert (await slack.raw(BODY, headers)).status == 401
    assert len(inbox.turns) == 1


async def test_the_very_same_request_may_come_again_after_it_failed(slack: Deliveries, inbox: Inbox) -> None:
    headers = _headers()
    inbox.is_down = True
    assert (await slack.raw(BODY, headers)).status == 503
    inbox.is_down = False
    assert (await slack.raw(BODY, headers)).status == 200


async def test_bytes_that_are_no_text_are_turned_away(slack: Deliveries) -> None:
    assert (await slack.raw(b"\xff\xfe", _headers())).status == 401


async def test_a_signed_body_that_cannot_be_read_is_a_bad_request(slack: Deliveries) -> None:
    assert (await slack.signed(b'{"type": ', "application/json")).status == 400


async def test_an_endless_body_is_not_read_to_its_end(slack: Deliveries, inbox: Inbox) -> None:
    answer = await slack.signed(b"x" * (MAX_BODY_BYTES + 1), "text/plain")
    assert (answer.status, inbox.turns) == (413, [])


async def test_the_address_is_verified_with_its_challenge(slack: Deliveries) -> None:
    sent = sample("url_verification")
    answer = await slack.event(sent)
    assert (answer.status, answer.payload) == (200, {"challenge": sent["challenge"]})


async def test_only_posts_are_served(slack: Deliveries) -> None:
    async with ClientSession() as session, session.get(f"{slack.url}/slack/events") as answer:
        assert answer.status == 405
