"""The Bot Connector and its neighbours, over HTTP on this machine."""

import re
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer

from adapters.channels.teams.config import Endpoints, Patience, TeamsConfig
from tests.fakes.teams.drive import Drive
from tests.fakes.teams.posted import Failure, Posted
from tests.fakes.teams.rules import message_faults, stream_of
from tests.fakes.teams.signing import ISSUER, published
from tests.fakes.teams.streams import Stream

APP_ID = "c0ffee00-0000-4000-8000-00000000b07a"
PASSWORD = "an app password"
TENANT = "7e4a0000-0000-4000-8000-00000000c0de"
BOT_TOKEN = "the-bots-own-token"
GRAPH_TOKEN = "the-apps-graph-token"
GRAPH = "https://graph.microsoft.com"
RATES = ((7, 1.0), (8, 2.0), (60, 30.0), (1800, 3600.0))
"""Messages per bot and conversation within so many seconds."""

_RANGE = re.compile(r"bytes 0-(\d+)/(\d+)")
Handler = Callable[[web.Request], Awaitable[web.Response]]


class TeamsStandIn:
    """Keeps what the bot posted. `faults` are what real Teams would not have taken; they must be empty at the end."""

    def __init__(self) -> None:
        self.posted: list[Posted] = []
        self.uploads: dict[str, bytes] = {}
        self.downloads: dict[str, bytes] = {}
        self.redirects: dict[str, str] = {}
        self.faults: list[str] = []
        self.failures: list[Failure] = []
        self.failed: list[Failure] = []
        self.keys: list[dict[str, Any]] = [published("key-1")]
        self.are_keys_down = False
        self.is_open = False
        self.requests: dict[str, int] = defaultdict(int)
        self.token_status = 200
        self.groups: dict[str, set[str]] = {}
        self.graph_status = 200
        self.upload_status = 201
        self.members: dict[str, list[dict[str, Any]]] = {}
        self.met: dict[str, dict[str, Any]] = {}
        self.roster_status = 200
        self.typing: list[str] = []
        self.streams: dict[str, Stream] = {}
        self.streams_refused = False
        self.installed_for: set[str] | None = None
        self.opened: dict[str, str] = {}
        self.disabled: set[str] = set()
        self.drive = Drive(faults=self.faults, token=GRAPH_TOKEN)
        self._scopes: dict[str, str] = {}
        self._sent: dict[str, list[float]] = defaultdict(list)
        self._ids = count(1_793_700_000_000)
        self._url = ""

    @property
    def service_url(self) -> str:
        """Where the bot sends to."""
        return f"{self._url}amer/"

    def config(self, **changes: Any) -> TeamsConfig:
        """Settings of a bot that knows no other Teams than this."""
        endpoints = Endpoints(
            metadata_url=f"{self._url}v1/.well-known/openidconfiguration",
            token_url=f"{self._url}{{tenant}}/oauth2/v2.0/token",
            graph_url=f"{self._url}graph/v1.0/",
            file_hosts=(self._url.removeprefix("http://").rstrip("/"), ".sharepoint.com"),
        )
        given = {
            "app_id": APP_ID,
            "app_password": PASSWORD,
            "tenant_id": TENANT,
            "endpoints": endpoints,
            "patience": Patience(first_pause=0.01),
        }
        return TeamsConfig(**{**given, **changes})

    def upload_url(self, name: str) -> str:
        """Where an accepted file goes."""
        return f"{self._url}upload/{name}"

    def download_url(self, name: str) -> str:
        """Where a file that a person gave is fetched."""
        return f"{self._url}download/{name}"

    @property
    def identity_url(self) -> str:
        """Where a machine in Azure gets tokens of its managed identities."""
        return f"{self._url}msi/token"

    def meet(self, conversation: str, scope: str) -> None:
        """The bot is in that conversation from now on."""
        self._scopes[_base(conversation)] = scope

    def meet_person(self, conversation: str, account: dict[str, Any]) -> None:
        """The person is in the conversation, and wrote there; in a personal chat it is theirs from now on."""
        self.met[f"{_base(conversation)} {account['id']}"] = account
        if self._scopes[_base(conversation)] == "personal" and account.get("aadObjectId"):
            self.opened.setdefault(account["aadObjectId"], _base(conversation))

    def in_conversation(self, conversation: str) -> list[Posted]:
        """What stands there, oldest first."""
        return [message for message in self.posted if message.conversation == conversation and not message.is_deleted]

    def application(self) -> web.Application:
        """All endpoints."""
        conversation = "/amer/v3/conversations/{conversation}/activities"
        app = web.Application(client_max_size=10 * 1024 * 1024)
        app.router.add_post(conversation, self._sending(self._post))
        app.router.add_post(conversation + "/{id}", self._sending(self._post))
        app.router.add_put(conversation + "/{id}", self._sending(self._put))
        app.router.add_delete(conversation + "/{id}", self._sending(self._delete))
        app.router.add_post("/amer/v3/conversations", self._open)
        app.router.add_get("/amer/v3/conversations/{conversation}/members/{member}", self._sending(self._member))
        app.router.add_get("/graph/v1.0/users/{user}", self._account)
        app.router.add_get("/amer/v3/conversations/{conversation}/pagedmembers", self._sending(self._paged_members))
        app.router.add_get("/v1/.well-known/openidconfiguration", self._metadata)
        app.router.add_get("/v1/.well-known/keys", self._published_keys)
        app.router.add_post("/{tenant}/oauth2/v2.0/token", self._token)
        app.router.add_post("/graph/v1.0/users/{user}/checkMemberGroups", self._check_groups)
        app.router.add_get("/msi/token", self._identity_token)
        self.drive.serve(app)
        app.router.add_put("/upload/{name}", self._upload)
        app.router.add_get("/download/{name}", self._download)
        return app

    def listen_at(self, url: str) -> None:
        """The address it can be reached at."""
        self._url = self.drive.url = url

    def _sending(self, handler: Handler) -> Handler:
        async def checked(request: web.Request) -> web.Response:
            self.requests[request.method] += 1
            conversation = request.match_info["conversation"]
            if not self.is_open and request.headers.get("Authorization") != f"Bearer {BOT_TOKEN}":
                return _error(401, "Unauthorized")
            failure = self.failures.pop(0) if self.failures and request.method != "GET" else None
            if failure is not None:
                self.failed.append(failure)
                if not failure.done:
                    return _failed(failure)
            if _base(conversation) not in self._scopes:
                return _error(404, "ConversationNotFound")
            if request.method not in ("DELETE", "GET") and self._is_too_fast(_base(conversation)):
                return _failed(Failure(status=429, retry_after=1))
            answer = await handler(request)
            return _failed(failure) if failure is not None else answer

        return checked

    def _is_too_fast(self, conversation: str) -> bool:
        now = time.monotonic()
        sent = self._sent[conversation]
        if any(len([at for at in sent if now - at < seconds]) >= most for most, seconds in RATES):
            return True
        sent.append(now)
        return False

    async def _post(self, request: web.Request) -> web.Response:
        activity = await self._checked(request)
        if activity is None:
            return _error(400, "BadSyntax")
        if activity["type"] == "typing" and not stream_of(activity):
            self.typing.append(request.match_info["conversation"])
            return web.json_response({"id": ""}, status=201)
        if stream_of(activity):
            return self._streamed(request.match_info["conversation"], activity)
        message = Posted(conversation=request.match_info["conversation"], id=str(next(self._ids)), versions=[activity])
        message.times.append(time.monotonic())
        self.posted.append(message)
        return web.json_response({"id": message.id}, status=201)

    def _streamed(self, conversation: str, activity: dict[str, Any]) -> web.Response:
        """One step of a stream; the last one leaves the message there."""
        told = stream_of(activity)
        if self.streams_refused:
            return _error(403, "ContentStreamNotAllowed")
        if "streamId" not in told:
            told = {**told, "streamId": str(next(self._ids))}
            self.streams[told["streamId"]] = Stream(conversation=conversation)
        stream = self.streams.get(told["streamId"])
        if stream is None or stream.conversation != conversation:
            return _error(403, "ContentStreamNotAllowed")
        self.faults += stream.take(activity, told, time.monotonic())
        if told["streamType"] == "final":
            self.posted.append(Posted(conversation=conversation, id=told["streamId"], versions=[activity]))
        return web.json_response({"id": told["streamId"]}, status=201)

    async def _put(self, request: web.Request) -> web.Response:
        message = self._find(request)
        if message is None:
            return _error(404, "MessageNotFound")
        activity = await self._checked(request)
        if activity is None:
            return _error(400, "BadSyntax")
        message.versions.append(activity)
        message.times.append(time.monotonic())
        return web.json_response({"id": message.id})

    async def _delete(self, request: web.Request) -> web.Response:
        message = self._find(request)
        if message is None:
            return _error(404, "MessageNotFound")
        message.is_deleted = True
        return web.Response(status=200)

    async def _checked(self, request: web.Request) -> dict[str, Any] | None:
        activity: dict[str, Any] = await request.json()
        faults = message_faults(activity, self._scopes[_base(request.match_info["conversation"])])
        if activity.get("conversation", {}).get("id") != request.match_info["conversation"]:
            faults.append("message: names another conversation than its address")
        if not activity.get("from", {}).get("id"):
            faults.append("message: is from nobody")
        self.faults += faults
        return None if faults else activity

    def _find(self, request: web.Request) -> Posted | None:
        found = [message for message in self.posted if message.id == request.match_info["id"]]
        return next((message for message in found if not message.is_deleted), None)

    async def _member(self, request: web.Request) -> web.Response:
        """A person of the conversation, by Teams' id or by object id."""
        self.requests["member"] += 1
        if self.roster_status != 200:
            return _error(self.roster_status, "Failed")
        conversation, asked = request.match_info["conversation"], request.match_info["member"]
        met = [account for key, account in self.met.items() if key.startswith(f"{conversation} ")]
        known = [*met, *self.members.get(conversation, [])]
        found = next((each for each in known if asked in (each["id"], each.get("aadObjectId"))), None)
        return web.json_response(found) if found else _error(404, "MemberNotFoundInConversation")

    async def _open(self, request: web.Request) -> web.Response:
        """A personal chat of the bot with one person, for whom the app has to be installed."""
        self.requests["open"] += 1
        if not self.is_open and request.headers.get("Authorization") != f"Bearer {BOT_TOKEN}":
            return _error(401, "Unauthorized")
        asked = await request.json()
        [person] = [member["id"] for member in asked["members"]]
        if not asked.get("bot", {}).get("id") or asked["channelData"]["tenant"]["id"] != asked["tenantId"]:
            self.faults.append("create conversation: names no bot, or two tenants")
        if self.installed_for is not None and person not in self.installed_for:
            return _error(403, "Forbidden")
        conversation = self.opened.setdefault(person, f"a:1-{person}")
        self.meet(conversation, "personal")
        return web.json_response({"id": conversation}, status=201)

    async def _account(self, request: web.Request) -> web.Response:
        self.requests["account"] += 1
        if request.headers.get("Authorization") != f"Bearer {GRAPH_TOKEN}":
            return _error(401, "InvalidAuthenticationToken")
        if self.graph_status != 200:
            return _error(self.graph_status, "Failed")
        return web.json_response({"accountEnabled": request.match_info["user"] not in self.disabled})

    async def _paged_members(self, request: web.Request) -> web.Response:
        """People only, as Teams lists them to a bot; the page size has a floor and a cap."""
        held, size = self.members.get(request.match_info["conversation"], []), int(request.query["pageSize"])
        if not 50 <= size <= 500:
            self.faults.append("pagedmembers: pageSize is 50 to 500")
        more = {"continuationToken": "more"} if len(held) > size else {}
        return web.json_response({"members": held[:size], **more})

    async def _metadata(self, _: web.Request) -> web.Response:
        self.requests["metadata"] += 1
        if self.are_keys_down:
            return web.Response(status=503)
        return web.json_response({"issuer": ISSUER, "jwks_uri": f"{self._url}v1/.well-known/keys"})

    async def _published_keys(self, _: web.Request) -> web.Response:
        self.requests["keys"] += 1
        return web.json_response({"keys": self.keys})

    async def _token(self, request: web.Request) -> web.Response:
        self.requests["token"] += 1
        form = await request.post()
        asked = (form.get("grant_type"), form.get("client_id"), form.get("client_secret"))
        token = {f"{ISSUER}/.default": BOT_TOKEN, f"{GRAPH}/.default": GRAPH_TOKEN}.get(str(form.get("scope")))
        if asked != ("client_credentials", APP_ID, PASSWORD) or token is None:
            return web.json_response({"error": "invalid_client"}, status=401)
        if self.token_status != 200:
            return web.Response(status=self.token_status)
        return web.json_response({"token_type": "Bearer", "expires_in": 3599, "access_token": token})

    async def _check_groups(self, request: web.Request) -> web.Response:
        self.requests["groups"] += 1
        if request.headers.get("Authorization") != f"Bearer {GRAPH_TOKEN}":
            return _error(401, "InvalidAuthenticationToken")
        if self.graph_status != 200:
            return _error(self.graph_status, "Failed")
        asked = (await request.json())["groupIds"]
        if len(asked) > 20:
            self.faults.append("checkMemberGroups: takes 20 groups at most")
            return _error(400, "Request_BadRequest")
        user = request.match_info["user"]
        known = {member for members in self.groups.values() for member in members}
        if user not in known:
            return _error(404, "Request_ResourceNotFound")
        return web.json_response(
            {"value": [group for group in map(str.lower, asked) if user in self.groups.get(group, ())]}
        )

    async def _identity_token(self, request: web.Request) -> web.Response:
        self.requests["token"] += 1
        if (request.query["client_id"], request.query["resource"]) != (APP_ID, ISSUER):
            return web.json_response({"statusCode": 400, "message": "no such identity"}, status=400)
        token = {"access_token": BOT_TOKEN, "expires_on": str(int(time.time()) + 3600)}
        return web.json_response({**token, "resource": ISSUER, "token_type": "Bearer"})

    async def _download(self, request: web.Request) -> web.Response:
        """A file of a person's drive: its address is its own key, and a bot's token has no business there."""
        if "Authorization" in request.headers:
            self.faults.append("download: carries the bot's token")
        name = request.match_info["name"]
        if name in self.redirects:
            raise web.HTTPFound(self.redirects[name])
        if name not in self.downloads:
            return web.Response(status=404)
        return web.Response(body=self.downloads[name], content_type="application/octet-stream")

    async def _upload(self, request: web.Request) -> web.Response:
        content = await request.read()
        told = _RANGE.fullmatch(request.headers.get("Content-Range", ""))
        if told is None or (int(told[1]) + 1, int(told[2])) != (len(content), request.content_length):
            self.faults.append("upload: Content-Range does not fit")
            return web.Response(status=400)
        if "Authorization" in request.headers:
            self.faults.append("upload: carries the bot's token")
        if self.upload_status in (200, 201):
            self.uploads[request.match_info["name"]] = content
        return web.Response(status=self.upload_status)


@asynccontextmanager
async def teams_stand_in() -> AsyncIterator[TeamsStandIn]:
    """A Teams that listens on this machine. Fails at the end when the bot sent what real Teams would not take."""
    stand_in = TeamsStandIn()
    server = TestServer(stand_in.application())
    await server.start_server()
    stand_in.listen_at(str(server.make_url("/")))
    try:
        yield stand_in
    finally:
        await server.close()
    assert stand_in.faults == [], "Teams would not have taken this"


def _base(conversation: str) -> str:
    return conversation.partition(";messageid=")[0]


def _error(status: int, code: str) -> web.Response:
    return web.json_response({"error": {"code": code, "message": code}}, status=status)


def _failed(failure: Failure) -> web.Response:
    answer = _error(failure.status, "Failed")
    if failure.retry_after is not None:
        answer.headers["Retry-After"] = str(failure.retry_after)
    return answer
