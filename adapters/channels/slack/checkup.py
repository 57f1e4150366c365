"""What Slack itself says about a bot, and whether its own address takes what Slack would send."""

import hashlib
import hmac
import json
import secrets
import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Final

from aiohttp import ClientError, ClientSession
from slack_sdk.web.async_client import AsyncWebClient

from adapters.channels.slack.clients import SlackClients
from adapters.channels.slack.errors import asking_slack
from adapters.channels.slack.fields import flag, record, text
from agent.ports import Health
from cards.errors import DeliveryUnavailable

SIGNED_WITHIN_SECONDS: Final = 300
"""How far this machine's clock may be from Slack's."""

_OK, _UNAUTHORIZED = 200, 401


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenFacts:
    """Whose token it is and what it may do. `ahead` is how many seconds this machine's clock is before Slack's."""

    team: str
    team_name: str
    bot_user: str
    bot_id: str
    scopes: frozenset[str]
    ahead: float


async def token_facts(client: AsyncWebClient) -> TokenFacts:
    """Ask Slack. Raises `DeliveryUnavailable`, and `DeliveryRefused` for a token that it does not take."""
    with asking_slack("auth.test"):
        told = await client.auth_test()
    headers = {name.lower(): held for name, held in told.headers.items()}
    scopes = str(headers.get("x-oauth-scopes", ""))
    return TokenFacts(
        team=text(told.data, "team_id"),
        team_name=text(told.data, "team"),
        bot_user=text(told.data, "user_id"),
        bot_id=text(told.data, "bot_id"),
        scopes=frozenset(name.strip() for name in scopes.split(",") if name.strip()),
        ahead=_ahead(str(headers.get("date", ""))),
    )


async def app_of(client: AsyncWebClient, bot_id: str) -> str:
    """The id of the app that the bot belongs to; empty for one that was removed. Raises as `token_facts`."""
    with asking_slack("bots.info"):
        told = record((await client.bots_info(bot=bot_id)).data, "bot")
    return "" if flag(told, "deleted") else text(told, "app_id")


async def opens_sockets(clients: SlackClients, app_token: str) -> None:
    """Ask for a WebSocket and use it for nothing. Raises as `token_facts`."""
    with asking_slack("apps.connections.open"):
        await clients.once.apps_connections_open(app_token=app_token)


async def takes_signed(session: ClientSession, url: str, signing_secret: str) -> Health:
    """Whether the address answers a request that is signed as Slack's, and no other."""
    challenge = secrets.token_urlsafe(16)
    body = json.dumps({"type": "url_verification", "challenge": challenge, "token": "unused"}).encode()
    try:
        status, answered = await _sent(session, url, body, signing_secret)
        if status != _OK or challenge not in answered:
            return Health(ok=False, detail=_refusal(url, status))
        forged, _ = await _sent(session, url, body, secrets.token_hex(16))
    except (ClientError, TimeoutError, DeliveryUnavailable) as error:
        return Health(ok=False, detail=f"{url} is not reached: {type(error).__name__}")
    if forged != _UNAUTHORIZED:
        return Health(ok=False, detail=f"{url} answers {forged} to a request with a forged signature")
    return Health(ok=True, detail=f"{url} takes what is signed, and nothing else")


async def leads_to_consent(session: ClientSession, url: str, client_id: str, redirect_uri: str) -> Health:
    """Whether the page where people install leads to Slack's consent page, for this app, and back."""
    try:
        async with session.get(url, allow_redirects=False) as answer:
            target = answer.headers.get("Location", "")
            status = answer.status
    except (ClientError, TimeoutError) as error:
        return Health(ok=False, detail=f"{url} is not reached: {type(error).__name__}")
    if "slack.com/oauth/v2/authorize" not in target or f"client_id={client_id}" not in target:
        return Health(ok=False, detail=f"{url} does not lead to Slack ({status})")
    return Health(ok=True, detail=f"{url}, back to {redirect_uri}")


def _ahead(date: str) -> float:
    try:
        return time.time() - parsedate_to_datetime(date).timestamp()
    except ValueError:
        return 0.0


async def _sent(session: ClientSession, url: str, body: bytes, secret: str) -> tuple[int, str]:
    timestamp = str(int(time.time()))
    signed = hmac.new(secret.encode(), b"v0:" + timestamp.encode() + b":" + body, hashlib.sha256).hexdigest()
    headers = {
        "Content-Type": "application/json",
        "X-Slack-Request-Timestamp": timestamp,
        "X-Slack-Signature": f"v0={signed}",
    }
    async with session.post(url, data=body, headers=headers, allow_redirects=False) as answer:
        return answer.status, await answer.text()


def _refusal(url: str, status: int) -> str:
    said = {
        401: "the running service has another SLACK_SIGNING_SECRET, or a proxy changes bodies",
        404: "nothing of Countersign is served there",
        413: "a proxy refuses the body",
        503: "the service cannot store anything",
    }
    return f"{url} answers {status}: {said.get(status, 'not what Countersign answers')}"
