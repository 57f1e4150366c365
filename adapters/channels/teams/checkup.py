"""What Microsoft says about the bot's credentials, and whether its own address refuses what Teams did not send."""

import json
from dataclasses import dataclass
from typing import Any, Final

import aiohttp
import jwt

from adapters.channels.teams.config import TeamsConfig
from adapters.channels.teams.signing_keys import CHANNEL
from adapters.channels.teams.tokens import Issue, graph_issuer_of, issuer_of
from agent.ports import Health

GROUP_PERMISSIONS: Final = ("GroupMember.Read.All", "User.Read.All")
"""Application permissions of Microsoft Graph that the policy's groups need."""

FILE_PERMISSIONS: Final = ("Files.ReadWrite.All",)
"""The one that workbooks in the files of a channel or a chat need; `Sites.ReadWrite.All` does as well."""

_INSTEAD: Final = {"Files.ReadWrite.All": "Sites.ReadWrite.All", "GroupMember.Read.All": "Directory.Read.All"}
_FORGED: Final = {"iss": "https://api.botframework.com", "serviceurl": "https://smba.trafficmanager.net/amer/"}
_OK, _UNAUTHORIZED = 200, 401


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenClaims:
    """What a token says of itself. A token that cannot be read has no audience."""

    audience: str
    app: str
    tenant: str
    roles: frozenset[str]


async def bot_token(config: TeamsConfig) -> TokenClaims:
    """The token that the bot posts with. Raises `DeliveryUnavailable`; its detail names Microsoft's status."""
    return await _claims(issuer_of(config))


async def graph_token(config: TeamsConfig) -> TokenClaims:
    """The app's token for Microsoft Graph; its roles are the permissions it was granted. Raises as `bot_token`."""
    return await _claims(graph_issuer_of(config, config.tenant_id))


def missing(claims: TokenClaims, permissions: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the permissions that were not granted, nor what includes them."""
    return tuple(name for name in permissions if not claims.roles & {name, _INSTEAD.get(name, name)})


async def published_keys(config: TeamsConfig) -> Health:
    """Whether the keys that sign Teams' requests can be fetched."""
    url = config.endpoints.metadata_url
    try:
        async with _session(config) as session:
            keys = (await _json(session, str((await _json(session, url))["jwks_uri"])))["keys"]
    except (aiohttp.ClientError, TimeoutError, KeyError, TypeError, ValueError) as error:
        return Health(ok=False, detail=f"{url}: {type(error).__name__}")
    endorsed = [key for key in keys if CHANNEL in key.get("endorsements", ())]
    return Health(ok=bool(endorsed), detail=f"{len(endorsed)} of {len(keys)} keys are for Teams")


async def refuses_strangers(config: TeamsConfig, url: str) -> Health:
    """Whether the address is reached and answers 401 to a request without a token and to one with a forged token."""
    body = {"type": "message", "id": "1", "channelId": CHANNEL, "serviceUrl": _FORGED["serviceurl"]}
    forged = jwt.encode({**_FORGED, "aud": config.app_id}, "", algorithm="none")
    try:
        async with _session(config) as session:
            statuses = [await _posted(session, url, body, header) for header in ("", f"Bearer {forged}")]
    except (aiohttp.ClientError, TimeoutError) as error:
        return Health(ok=False, detail=f"{url} is not reached: {type(error).__name__}")
    if statuses == [_UNAUTHORIZED, _UNAUTHORIZED]:
        return Health(ok=True, detail=f"{url} is reached, and refuses what Teams did not sign")
    said = {
        404: "nothing of Countersign is served there",
        201: "it takes anybody's word for who they are",
        503: "the running service cannot fetch Microsoft's keys",
    }
    unexpected = next(status for status in statuses if status != _UNAUTHORIZED)
    return Health(
        ok=False, detail=f"{url} answers {unexpected}: {said.get(unexpected, 'not what Countersign answers')}"
    )


async def _claims(issue: Issue) -> TokenClaims:
    issued = await issue()
    try:
        told: dict[str, Any] = jwt.decode(issued.text, options={"verify_signature": False})
    except jwt.PyJWTError:
        told = {}
    return TokenClaims(
        audience=str(told.get("aud", "")),
        app=str(told.get("appid") or told.get("azp") or ""),
        tenant=str(told.get("tid", "")),
        roles=frozenset(map(str, told.get("roles", ()))),
    )


def _session(config: TeamsConfig) -> aiohttp.ClientSession:
    return aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=config.patience.request))


async def _json(session: aiohttp.ClientSession, url: str) -> Any:
    async with session.get(url, allow_redirects=False) as answer:
        if answer.status != _OK:
            raise ValueError(str(answer.status))
        return json.loads(await answer.text())


async def _posted(session: aiohttp.ClientSession, url: str, body: object, authorization: str) -> int:
    headers = {"Authorization": authorization} if authorization else {}
    async with session.post(url, json=body, headers=headers, allow_redirects=False) as answer:
        return answer.status
