import asyncio

import pytest

from adapters.channels.teams.signing_keys import (
    AFTER_FAILURE_SECONDS,
    AGAIN_SECONDS,
    KEEP_SECONDS,
    KeysUnavailable,
    SigningKeys,
)
from tests.fakes.teams.connector import TeamsStandIn
from tests.fakes.teams.signing import published


class Seconds:
    """A monotonic clock that a test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def _keys(teams: TeamsStandIn, seconds: Seconds) -> SigningKeys:
    return SigningKeys(teams.config().endpoints.metadata_url, 10, seconds)


async def test_a_rolled_key_is_accepted_a_minute_after_the_last_fetch(teams: TeamsStandIn) -> None:
    seconds = Seconds()
    keys = _keys(teams, seconds)
    await keys.get("key-1")
    teams.keys = [published("key-2")]
    seconds.now = AGAIN_SECONDS - 1
    with pytest.raises(PermissionError):
        await keys.get("key-2")
    seconds.now = AGAIN_SECONDS
    await keys.get("key-2")
    assert teams.requests["keys"] == 2


async def test_a_withdrawn_key_is_refused_after_a_day(teams: TeamsStandIn) -> None:
    seconds = Seconds()
    keys = _keys(teams, seconds)
    await keys.get("key-1")
    teams.keys = [published("key-2")]
    seconds.now = KEEP_SECONDS - 1
    await keys.get("key-1")
    seconds.now = KEEP_SECONDS
    with pytest.raises(PermissionError):
        await keys.get("key-1")


async def test_a_token_that_names_no_key_is_refused(teams: TeamsStandIn) -> None:
    with pytest.raises(PermissionError):
        await _keys(teams, Seconds()).get(None)


@pytest.mark.parametrize("listed", [[], [{}], [5], [{"kid": ["x"]}]])
async def test_a_keys_document_of_another_form_is_no_answer(
    teams: TeamsStandIn, listed: list[dict[str, object]]
) -> None:
    teams.keys = listed
    with pytest.raises((KeysUnavailable, PermissionError)):
        await _keys(teams, Seconds()).get("key-1")


async def test_after_a_failure_the_keys_are_soon_fetched_again_but_not_for_every_request(teams: TeamsStandIn) -> None:
    seconds = Seconds()
    keys = _keys(teams, seconds)
    teams.are_keys_down = True
    for _ in range(3):
        with pytest.raises(KeysUnavailable):
            await keys.get("key-1")
    assert teams.requests["metadata"] == 1
    teams.are_keys_down = False
    seconds.now = AFTER_FAILURE_SECONDS
    await keys.get("key-1")


async def test_while_unknown_keys_are_asked_for_the_known_one_still_works(teams: TeamsStandIn) -> None:
    seconds = Seconds()
    keys = _keys(teams, seconds)
    await keys.get("key-1")
    teams.are_keys_down = True
    seconds.now = AGAIN_SECONDS
    with pytest.raises(KeysUnavailable):
        await keys.get("key-2")
    await keys.get("key-1")


async def test_requests_at_once_fetch_the_keys_once(teams: TeamsStandIn) -> None:
    keys = _keys(teams, Seconds())
    await asyncio.gather(*(keys.get("key-1") for _ in range(5)))
    assert teams.requests["keys"] == 1
