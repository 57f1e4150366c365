import asyncio
import time

import pytest

from adapters.channels.teams.config import TeamsConfigInvalid, check_config
from tests.fakes.teams.bot import RunningBot, running_bot
from tests.fakes.teams.connector import TeamsStandIn
from tests.fakes.teams.people import PERSONAL, Person, payload
from tests.fakes.teams.signing import published, rsa_key, signed, unsigned

MESSAGE = payload("message_personal")


async def test_a_valid_token_is_accepted_and_the_keys_are_fetched_once(teams: TeamsStandIn, bot: RunningBot) -> None:
    assert (await bot.people.send(MESSAGE)).status == 201
    assert (await bot.people.send(MESSAGE)).status == 201
    assert (teams.requests["metadata"], teams.requests["keys"]) == (1, 1)


@pytest.mark.parametrize(
    "claims",
    [
        {"exp": int(time.time()) - 3600},
        {"nbf": int(time.time()) + 3600},
        {"aud": "another-app"},
        {"aud": None},
        {"iss": "https://sts.windows.net/d6d49420-f39b-4df7-a1dc-d59a935871db/"},
        {"iss": "https://issuer.example"},
        {"iss": None},
        {"serviceurl": "https://evil.example/"},
        {"serviceurl": None},
        {"ver": "2.0", "azp": "a-skill"},
    ],
)
async def test_a_token_with_a_wrong_claim_is_refused(bot: RunningBot, claims: dict[str, object]) -> None:
    assert (await bot.people.send(MESSAGE, **claims)).status == 401
    assert bot.product.turns == []


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", "Bearer a b", "Bearer x.y.z", "Basic YTpi", "Bearer é"])
async def test_no_token_and_a_malformed_one_are_refused(bot: RunningBot, header: str) -> None:
    assert (await bot.people.send(MESSAGE, header=header)).status == 401


async def test_a_token_without_a_signature_is_refused(teams: TeamsStandIn, bot: RunningBot) -> None:
    header = f"Bearer {unsigned('c0ffee00-0000-4000-8000-00000000b07a', teams.service_url)}"
    assert (await bot.people.send(MESSAGE, header=header)).status == 401


async def test_a_token_with_a_changed_claim_is_refused(teams: TeamsStandIn, bot: RunningBot) -> None:
    head, _, signature = signed("c0ffee00-0000-4000-8000-00000000b07a", teams.service_url, "key-1").split(".")
    _, claims, _ = signed("c0ffee00-0000-4000-8000-00000000b07a", teams.service_url, "key-1", {"x": 1}).split(".")
    assert (await bot.people.send(MESSAGE, header=f"Bearer {head}.{claims}.{signature}")).status == 401


async def test_a_key_that_is_not_endorsed_for_teams_is_refused(teams: TeamsStandIn, bot: RunningBot) -> None:
    teams.keys = [published("key-1", ("webchat",))]
    assert (await bot.people.send(MESSAGE)).status == 401


async def test_another_channel_of_the_same_bot_is_refused(bot: RunningBot) -> None:
    assert (await bot.people.send(MESSAGE | {"channelId": "directline"})).status == 401


async def test_an_unknown_key_is_looked_for_at_most_once_a_minute(teams: TeamsStandIn, bot: RunningBot) -> None:
    rsa_key("key-2")
    for _ in range(3):
        assert (await bot.people.send(MESSAGE, key="key-2")).status == 401
    assert teams.requests["keys"] == 1


@pytest.mark.parametrize("body", ["", "{", "[]", "null", "{}", '{"type": ""}', '{"type": 5}', "[" * 5000])
async def test_what_is_no_activity_is_a_bad_request(bot: RunningBot, body: str) -> None:
    assert (await bot.people.send_raw(body)).status == 400


async def test_while_the_keys_cannot_be_fetched_teams_is_asked_to_come_back(
    teams: TeamsStandIn, bot: RunningBot
) -> None:
    teams.are_keys_down = True
    assert (await bot.people.send(MESSAGE)).status == 503
    assert bot.product.turns == []


async def test_without_credentials_a_local_emulator_is_served(
    teams: TeamsStandIn,
) -> None:
    teams.is_open = True
    async with running_bot(teams, app_id="", app_password="", tenant_id="", unsafe_without_credentials=True) as bot:
        assert (await bot.people.send(MESSAGE, header="")).status == 201
        assert bot.product.turn.text == "Approval rate last month"
        await bot.channel.notify(bot.product.place, bot.product.turn.author, "hello")
        assert teams.requests["token"] == 0


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"app_id": ""}, "TEAMS_APP_ID is empty"),
        ({"app_id": "", "unsafe_without_credentials": True, "listen_host": "0.0.0.0"}, "loopback"),  # noqa: S104
        ({"app_id": "", "unsafe_without_credentials": True, "listen_host": "bot.example"}, "loopback"),
        ({"app_password": ""}, "TEAMS_APP_PASSWORD"),
        ({"tenant_id": ""}, "TEAMS_TENANT_ID"),
        ({"app_type": "MultiTenant", "tenant_id": ""}, "TEAMS_ALLOWED_TENANTS"),
        ({"app_type": "UserAssignedMSI", "app_password": ""}, "LINK_SIGNING_SECRET"),
    ],
)
async def test_a_bot_that_would_be_unsafe_does_not_start(
    teams: TeamsStandIn, changes: dict[str, object], fault: str
) -> None:
    with pytest.raises(TeamsConfigInvalid, match=fault):
        check_config(teams.config(**changes))


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost"])
async def test_the_unsafe_switch_works_on_this_machine_alone(teams: TeamsStandIn, host: str) -> None:
    check_config(teams.config(app_id="", unsafe_without_credentials=True, listen_host=host))


def test_secrets_are_not_shown() -> None:
    config = TeamsStandIn().config(signing_secret=b"a signing secret")
    assert "an app password" not in repr(config)
    assert "a signing secret" not in repr(config)


async def test_everybody_talks_to_the_bot_at_once(bot: RunningBot) -> None:
    people = [Person(name=f"P{number}") for number in range(12)]
    await asyncio.gather(*(bot.people.say(person, PERSONAL, f"I am {person.name}") for person in people))
    assert {turn.text for turn in bot.product.turns} == {f"I am {person.name}" for person in people}
