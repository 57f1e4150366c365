import asyncio
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import jwt
import pytest
from azure.core.exceptions import SerializationError
from botbuilder.core import TurnContext
from botbuilder.schema import Activity, ConversationReference, Entity
from botbuilder.schema._models_py3 import AdaptiveCardInvokeResponse
from botframework.connector.auth.jwt_token_extractor import JwtTokenExtractor, _OpenIdMetadata
from botframework.connector.models import ErrorResponseException

from adapters.channels.teams.activities import InboundActivity
from adapters.channels.teams.answers import noticed
from adapters.channels.teams.config import TeamsConfigInvalid, check_config
from adapters.channels.teams.entities import AiEntity, StreamInfo
from adapters.channels.teams.mentions import words_of
from adapters.channels.teams.signing_keys import KeysUnavailable, SigningKeys
from cards.elements import Acknowledgement, Card, Citation, Heading
from tests.fakes.teams.bot import RunningBot
from tests.fakes.teams.connector import APP_ID, TeamsStandIn
from tests.fakes.teams.people import GROUP, Person, payload
from tests.fakes.teams.plain_sdk import plain_bot
from tests.fakes.teams.posted import Failure
from tests.fakes.teams.signing import published, signed, unsigned

MESSAGE = payload("message_personal")
CARD = Card(kind="decided", fallback="Approved", elements=(Heading(text="Approved"),))


@pytest.fixture
def known_keys(teams: TeamsStandIn) -> Iterator[None]:
    # Fetching them the SDK's way would block the loop that the stand-in runs in.
    url = teams.config().endpoints.metadata_url
    held = _OpenIdMetadata(url)
    held.keys, held.last_updated = teams.keys, datetime.now()  # noqa: DTZ005  # as the SDK compares it
    JwtTokenExtractor.metadataCache[url] = held
    yield
    JwtTokenExtractor.metadataCache.pop(url, None)


async def test_an_invoke_with_an_answer_fails_there_and_is_answered_here(teams: TeamsStandIn, bot: RunningBot) -> None:
    async with plain_bot(teams, app_id="") as plain:
        assert (await plain.people.send(payload("execute"))).status == 500
    bot.product.says = Acknowledgement(card=CARD)
    answer = await bot.people.send(payload("execute"))
    assert (answer.status, answer.body["value"]["fallbackText"]) == (200, "Approved")


BAD_TOKENS: dict[str, Callable[[str], str]] = {
    "expired": lambda url: signed(APP_ID, url, "key-1", {"exp": int(time.time()) - 3600}),
    "garbage": lambda _: "x.y.z",
    "unsigned": lambda url: unsigned(APP_ID, url),
    "unknown key": lambda url: signed(APP_ID, url, "key-9"),
    "another audience": lambda url: signed("another-app", url, "key-1"),
}


@pytest.mark.parametrize(
    ("name", "there"),
    [("expired", 500), ("garbage", 500), ("unsigned", 500), ("unknown key", 500), ("another audience", 401)],
)
@pytest.mark.usefixtures("known_keys")
async def test_a_bad_token_is_an_error_of_the_server_there_and_unauthorized_here(
    teams: TeamsStandIn, name: str, there: int
) -> None:
    header = f"Bearer {BAD_TOKENS[name](teams.service_url)}"
    async with plain_bot(teams) as plain:
        assert (await plain.people.send(MESSAGE)).status == 201
        assert (await plain.people.send(MESSAGE, header=header)).status == there


@pytest.mark.parametrize("name", list(BAD_TOKENS))
async def test_a_bad_token_is_unauthorized_here(teams: TeamsStandIn, bot: RunningBot, name: str) -> None:
    header = f"Bearer {BAD_TOKENS[name](teams.service_url)}"
    assert (await bot.people.send(MESSAGE, header=header)).status == 401
    assert bot.product.turns == []


async def test_bad_json_is_an_error_of_the_server_there_and_a_bad_request_here(
    teams: TeamsStandIn, bot: RunningBot
) -> None:
    async with plain_bot(teams, app_id="") as plain:
        assert (await plain.people.send_raw("{")).status == 500
    assert (await bot.people.send_raw("{")).status == 400


async def test_a_body_that_names_another_service_than_its_token_is_refused(bot: RunningBot) -> None:
    tampered = {**MESSAGE, "serviceUrl": "https://evil.example/"}
    assert (await bot.people.send_raw(json.dumps(tampered))).status == 401
    assert bot.product.turns == []


async def test_a_new_key_locks_teams_out_for_a_day_there_and_is_fetched_here(
    teams: TeamsStandIn, bot: RunningBot
) -> None:
    held = _OpenIdMetadata(teams.config().endpoints.metadata_url)
    held.keys, held.last_updated = teams.keys, datetime.now()  # noqa: DTZ005  # as the SDK compares it
    teams.keys = [published("key-1"), published("key-2")]
    with pytest.raises(IndexError):
        await held.get("key-2")
    assert (await bot.people.send(MESSAGE, key="key-2")).status == 201


async def test_fetching_keys_stops_everything_there_and_nothing_here() -> None:
    with _slow_keys(0.3) as url:
        assert await _ticks(_OpenIdMetadata(url).get("key-1")) <= 1
        assert await _ticks(SigningKeys(url, timeout=5).get("key-1")) > 5


async def test_an_entity_loses_its_keys_there_and_keeps_them_here() -> None:
    plain = Entity(type="https://schema.org/Message", additional_properties={"additionalType": ["AIGeneratedContent"]})
    assert Activity(entities=[plain]).serialize()["entities"] == [{"type": "https://schema.org/Message"}]
    label = AiEntity((Citation(title="Daily payment metrics", text="25–31 Oct 2026"),))
    stream = StreamInfo("streaming", 2, "s1")
    assert Activity(entities=[label, stream]).serialize()["entities"] == [
        {
            "type": "https://schema.org/Message",
            "@type": "Message",
            "@context": "https://schema.org",
            "additionalType": ["AIGeneratedContent"],
            "citation": [
                {
                    "@type": "Claim",
                    "position": 1,
                    "appearance": {
                        "@type": "DigitalDocument",
                        "name": "Daily payment metrics",
                        "abstract": "25–31 Oct 2026",
                    },
                }
            ],
        },
        {"type": "streaminfo", "streamId": "s1", "streamType": "streaming", "streamSequence": 2},
    ]


async def test_private_words_cannot_be_answered_there_and_can_here() -> None:
    words = "application/vnd.microsoft.activity.message"
    with pytest.raises(SerializationError):
        AdaptiveCardInvokeResponse(status_code=200, type=words, value="Not yours.").serialize()
    assert noticed("Not yours.").body == {"statusCode": 200, "type": words, "value": "Not yours."}


async def test_removing_the_mention_takes_words_away_there_and_none_here() -> None:
    said = {
        "type": "message",
        "text": "<at>Data</at> show data Data&nbsp;today",
        "recipient": {"id": "28:bot", "name": "Data"},
        "entities": [{"type": "mention", "text": "<at>Data</at>", "mentioned": {"id": "28:bot", "name": "Data"}}],
    }
    assert "data Data" not in TurnContext.remove_recipient_mention(Activity.deserialize(said))
    assert words_of(InboundActivity.model_validate(said)) == "show data Data today"


async def test_the_tenant_is_lost_there_and_known_here() -> None:
    assert Activity.deserialize(MESSAGE).conversation.tenant_id is None
    assert InboundActivity.model_validate(MESSAGE).tenant == MESSAGE["channelData"]["tenant"]["id"]


async def test_feedback_is_not_implemented_there_and_taken_here(teams: TeamsStandIn, bot: RunningBot) -> None:
    async with plain_bot(teams, app_id="") as plain:
        assert (await plain.people.send(payload("feedback"))).status in (500, 501)
    assert (await bot.people.send(payload("feedback"))).status == 200


@pytest.mark.parametrize("status", [429, 412])
async def test_a_post_that_teams_asks_to_repeat_is_lost_there_and_repeated_here(
    teams: TeamsStandIn, bot: RunningBot, status: int
) -> None:
    await bot.people.say(Person(), GROUP, "sales")
    await bot.channel.notify(bot.product.place, bot.product.turn.author, "first")
    teams.is_open = True
    async with plain_bot(teams, app_id="") as plain:
        await plain.people.say(Person(), GROUP, "sales")
        reference: ConversationReference = TurnContext.get_conversation_reference(plain.bot.heard[0])
        teams.failures = [Failure(status=status)]
        with pytest.raises(ErrorResponseException):
            await plain.send(reference, Activity(type="message", text="second"), "")
    teams.failures = [Failure(status=status)]
    await bot.channel.notify(bot.product.place, bot.product.turn.author, "third")
    assert [each.activity["text"] for each in teams.posted] == ["first", "third"]


async def test_without_an_app_id_everybody_is_believed_there_and_nothing_starts_here(teams: TeamsStandIn) -> None:
    async with plain_bot(teams, app_id="") as plain:
        assert (await plain.people.send(MESSAGE)).status == 201
    with pytest.raises(TeamsConfigInvalid):
        check_config(teams.config(app_id="", app_password=""))


async def _ticks(fetching: Any) -> int:
    """How often something else had its turn meanwhile."""
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0.02)
            ticks += 1

    ticking = asyncio.create_task(tick())
    try:
        await fetching
    except (KeysUnavailable, jwt.PyJWTError):
        pass
    finally:
        ticking.cancel()
    return ticks


@contextmanager
def _slow_keys(seconds: float) -> Iterator[str]:
    """Keys that take their time, published from another thread."""

    class Slow(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            time.sleep(seconds)
            keys = {"keys": [published("key-1")]}
            told = keys if self.path == "/keys" else {"jwks_uri": f"http://127.0.0.1:{server.server_port}/keys"}
            body = json.dumps(told).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Slow)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/metadata"
    finally:
        server.shutdown()
        server.server_close()
