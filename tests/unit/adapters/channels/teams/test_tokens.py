import asyncio

import pytest

from adapters.channels.teams.tokens import BotToken, IssuedToken, issuer_of
from cards.errors import DeliveryUnavailable
from tests.fakes.teams.connector import BOT_TOKEN, TeamsStandIn


class Desk:
    """Issues a new token each time, and moves the clock it is asked by."""

    def __init__(self, seconds: float) -> None:
        self.now = 0.0
        self.issued = 0
        self._seconds = seconds

    async def issue(self) -> IssuedToken:
        await asyncio.sleep(0)
        self.issued += 1
        return IssuedToken(text=f"token-{self.issued}", seconds=self._seconds)


async def test_a_token_is_kept_until_five_minutes_before_its_end() -> None:
    desk = Desk(3600)
    token = BotToken(desk.issue, lambda: desk.now)
    assert await token.current() == "token-1"
    desk.now = 3299
    assert await token.current() == "token-1"
    desk.now = 3300
    assert await token.current() == "token-2"


async def test_sends_at_once_share_one_token() -> None:
    desk = Desk(3600)
    token = BotToken(desk.issue, lambda: desk.now)
    assert set(await asyncio.gather(*(token.current() for _ in range(5)))) == {"token-1"}


async def test_a_refused_token_is_not_used_again() -> None:
    desk = Desk(3600)
    token = BotToken(desk.issue, lambda: desk.now)
    await token.current()
    token.forget()
    assert await token.current() == "token-2"


def test_a_token_is_not_shown() -> None:
    assert "secret" not in repr(IssuedToken(text="secret", seconds=1))


async def test_a_client_secret_gets_a_token(teams: TeamsStandIn) -> None:
    issued = await issuer_of(teams.config())()
    assert (issued.text, issued.seconds) == (BOT_TOKEN, 3599)


async def test_a_token_endpoint_that_does_not_answer_is_unavailable(teams: TeamsStandIn) -> None:
    teams.token_status = 500
    with pytest.raises(DeliveryUnavailable, match=r"^token: 500$"):
        await issuer_of(teams.config())()


async def test_a_managed_identity_gets_a_token(teams: TeamsStandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IDENTITY_ENDPOINT", teams.identity_url)
    monkeypatch.setenv("IDENTITY_HEADER", "header")
    issue = issuer_of(teams.config(app_type="UserAssignedMSI", app_password="", signing_secret=b"key"))
    assert (await issue()).text == BOT_TOKEN


async def test_a_machine_without_that_identity_is_unavailable(
    teams: TeamsStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IDENTITY_ENDPOINT", teams.identity_url)
    monkeypatch.setenv("IDENTITY_HEADER", "header")
    issue = issuer_of(teams.config(app_id="another", app_type="UserAssignedMSI", app_password=""))
    with pytest.raises(DeliveryUnavailable, match="token: "):
        await issue()
