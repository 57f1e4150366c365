"""The files of channels, as Microsoft Graph takes them."""

import json
import re
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

GROUP = "9f1e0000-0000-4000-8000-0000000000aa"
TEAM = "19:712c61d0ef384e5fa681ba90ca943398@thread.tacv2"
_SPAN = re.compile(r"bytes (\d+)-(\d+)/(\d+)")
_SMALL, _UNIT = 4 * 1024 * 1024, 320 * 1024


@dataclass(slots=True, kw_only=True)
class Drive:
    """Keeps files by name. `faults` are what Graph would not have taken; `status` is what uploads are answered."""

    faults: list[str]
    token: str
    url: str = ""
    status: int = 201
    host: str = "https://contoso.sharepoint.com"
    session_host: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    _sessions: dict[str, bytearray] = field(default_factory=dict)

    def serve(self, app: web.Application) -> None:
        """Graph's part, and the team as the Bot Connector knows it."""
        item = "/graph/v1.0/drives/{drive}/items/F0LDER:/{name}:"
        app.router.add_get("/amer/v3/teams/{team}", self._team)
        app.router.add_get("/graph/v1.0/teams/{group}/channels/{channel}/filesFolder", self._folder)
        app.router.add_put(item + "/content", self._content)
        app.router.add_post(item + "/createUploadSession", self._session)
        app.router.add_put("/parts/{name}", self._part)

    async def _team(self, request: web.Request) -> web.Response:
        self.requests.append("team")
        if request.match_info["team"] != TEAM:
            return web.Response(status=404)
        return web.json_response({"id": TEAM, "aadGroupId": GROUP})

    async def _folder(self, request: web.Request) -> web.Response:
        self.requests.append("folder")
        if not self._is_known(request) or request.match_info["group"] != GROUP:
            return web.json_response({"error": {"code": "AccessDenied"}}, status=403)
        return web.json_response({"id": "F0LDER", "parentReference": {"driveId": "b!drive"}})

    async def _content(self, request: web.Request) -> web.Response:
        self.requests.append("content")
        content = await request.read()
        if not self._is_known(request):
            return web.Response(status=401)
        if len(content) > _SMALL:
            self.faults.append("graph: more than 4 MB in one request")
        if request.query.get("@microsoft.graph.conflictBehavior") != "replace":
            self.faults.append("graph: a second upload would be refused or doubled")
        return self._kept(request.match_info["name"], content)

    async def _session(self, request: web.Request) -> web.Response:
        self.requests.append("session")
        asked: dict[str, Any] = await request.json()
        if not self._is_known(request) or asked["item"]["@microsoft.graph.conflictBehavior"] != "replace":
            return web.Response(status=400)
        name = request.match_info["name"]
        self._sessions[name] = bytearray()
        return web.json_response({"uploadUrl": f"{self.session_host or self.url}parts/{name.replace(' ', '%20')}"})

    async def _part(self, request: web.Request) -> web.Response:
        self.requests.append("part")
        if "Authorization" in request.headers:
            self.faults.append("graph: an upload session carries the app's token")
        name, content = request.match_info["name"], await request.read()
        told = _SPAN.fullmatch(request.headers.get("Content-Range", ""))
        held = self._sessions[name]
        if told is None or int(told[1]) != len(held) or int(told[2]) - int(told[1]) + 1 != len(content):
            self.faults.append("graph: Content-Range does not fit")
            return web.Response(status=416)
        held += content
        if len(held) < int(told[3]):
            if len(content) % _UNIT:
                self.faults.append("graph: a part is no multiple of 320 KiB")
            return web.json_response({"nextExpectedRanges": [f"{len(held)}-"]}, status=202)
        return self._kept(name, bytes(held))

    def _kept(self, name: str, content: bytes) -> web.Response:
        if self.status not in (200, 201):
            return web.Response(status=self.status, text=json.dumps({"error": {"code": "Failed"}}))
        self.files[name] = content
        address = f"{self.host}/sites/sales/Shared%20Documents/General/{name.replace(' ', '%20')}"
        return web.json_response({"id": "01ITEM", "name": name, "webUrl": address}, status=201)

    def _is_known(self, request: web.Request) -> bool:
        return request.headers.get("Authorization") == f"Bearer {self.token}"
