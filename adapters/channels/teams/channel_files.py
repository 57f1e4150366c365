"""Files into the files of a channel, by Microsoft Graph."""

from collections import OrderedDict
from dataclasses import dataclass
from io import BytesIO
from pathlib import PurePath
from typing import Any, Final

import aiohttp
from yarl import URL

from adapters.channels.teams.addresses import TeamsAddress
from adapters.channels.teams.config import TeamsConfig
from adapters.channels.teams.errors import UNAUTHORIZED
from adapters.channels.teams.inbound import is_of
from adapters.channels.teams.rest import ConnectorRest
from adapters.channels.teams.spans import spans_of
from adapters.channels.teams.tokens import BotToken, graph_issuer_of
from agent.values.identity import RunId
from cards.elements import Attachment
from cards.errors import DeliveryRefused, DeliveryUnavailable

SMALL_BYTES: Final = 4 * 1024 * 1024
"""The most that is sent in one request; more goes through an upload session."""

_MOST_KEPT: Final = 1_000
_DONE: Final = frozenset({200, 201})
_MORE: Final = 202
_REPLACE: Final = {"@microsoft.graph.conflictBehavior": "replace"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """The folder of a channel's files."""

    drive: str
    item: str


class ChannelFiles:
    """Puts files beside what people share in a channel: whoever reads the channel reads them, for as long as they stay.

    `connector` asks the Bot Connector which Microsoft 365 group a team is. The app's own token goes to Graph alone;
    bytes go to the hosts of `file_hosts`.
    """

    def __init__(self, config: TeamsConfig, connector: ConnectorRest) -> None:
        self._config = config
        self._connector = connector
        self._graphs: dict[str, ConnectorRest] = {}
        self._folders: OrderedDict[str, Folder] = OrderedDict()

    async def put(self, address: TeamsAddress, tenant: str, run: RunId, file: Attachment) -> str:
        """Where the file is to be opened; the same file of a run goes to the same place.

        Raises `DeliveryUnavailable`, and `DeliveryRefused` where Graph does not let the app.
        """
        graph = self._graph(tenant)
        folder = await self._folder(graph, address)
        target = self._url("drives", folder.drive, "items", f"{folder.item}:", f"{_name(run, file)}:")
        if file.parts is None and file.size <= SMALL_BYTES:
            item = await self._sent_whole(graph, target / "content" % _REPLACE, file.content)
        else:
            item = await self._sent_in_parts(graph, target / "createUploadSession", file)
        opened = str(item.get("webUrl", ""))
        if not is_of(opened, self._config.endpoints.file_hosts):
            raise DeliveryRefused("upload: the file lies on a host that is not on the list")
        return opened

    def _graph(self, tenant: str) -> ConnectorRest:
        if tenant not in self._graphs:
            token = BotToken(graph_issuer_of(self._config, tenant))
            self._graphs[tenant] = ConnectorRest(
                token=token, seconds=self._config.patience.request, seen=self._config.seen
            )
        return self._graphs[tenant]

    async def _folder(self, graph: ConnectorRest, address: TeamsAddress) -> Folder:
        kept = self._folders.get(address.conversation)
        if kept is not None:
            return kept
        group = address.group or await self._group(address)
        url = self._url("teams", group, "channels", address.conversation, "filesFolder")
        told = await graph.get("filesFolder", url)
        try:
            found = Folder(drive=str(told["parentReference"]["driveId"]), item=str(told["id"]))
        except (KeyError, TypeError):
            raise DeliveryUnavailable("filesFolder: the answer holds none") from None
        self._folders[address.conversation] = found
        if len(self._folders) > _MOST_KEPT:
            self._folders.popitem(last=False)
        return found

    async def _group(self, address: TeamsAddress) -> str:
        if not address.team:
            raise DeliveryRefused("upload: Teams does not tell the channel's team")
        told = await self._connector.get("team", URL(address.service_url) / "v3" / "teams" / address.team)
        group = told.get("aadGroupId") if isinstance(told, dict) else None
        if not isinstance(group, str):
            raise DeliveryRefused("team: it has no group")
        return group

    async def _sent_whole(self, graph: ConnectorRest, url: URL, content: bytes) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {await graph.token.current()}", "Content-Type": "application/octet-stream"}
        status, item = await self._put(url, content, headers)
        if status == UNAUTHORIZED:
            graph.token.forget()
        if status not in _DONE:
            raise DeliveryUnavailable(f"upload: {status}")
        return item

    async def _sent_in_parts(self, graph: ConnectorRest, url: URL, file: Attachment) -> dict[str, Any]:
        session = await graph.post("createUploadSession", url, {"item": _REPLACE})
        target = str(session.get("uploadUrl", "")) if isinstance(session, dict) else ""
        if not is_of(target, self._config.endpoints.file_hosts):
            raise DeliveryRefused("upload: the file was to go to a host that is not on the list")
        item: dict[str, Any] = {}
        async for span, part in spans_of(file):
            # The address is its own key: no token goes there.
            status, item = await self._put(URL(target, encoded=True), part, {"Content-Range": span})
            if status != _MORE and status not in _DONE:
                raise DeliveryUnavailable(f"upload: {status}")
        return item

    async def _put(self, url: URL, content: bytes, headers: dict[str, str]) -> tuple[int, dict[str, Any]]:
        timeout = aiohttp.ClientTimeout(total=self._config.patience.request)
        try:
            async with (
                aiohttp.ClientSession(timeout=timeout) as session,
                session.put(url, data=BytesIO(content), headers=headers, allow_redirects=False) as response,
            ):
                told = await response.json(content_type=None)
        except (aiohttp.ClientError, TimeoutError, ValueError) as error:
            raise DeliveryUnavailable(f"upload: {type(error).__name__}") from None
        if response.status in (403, 404):
            raise DeliveryRefused(f"upload: {response.status}")
        return response.status, told if isinstance(told, dict) else {}

    def _url(self, *parts: str) -> URL:
        url = URL(self._config.endpoints.graph_url)
        for part in parts:
            url /= part
        return url


def _name(run: RunId, file: Attachment) -> str:
    """The run's own name of the file: nobody else's is replaced."""
    path = PurePath(file.name)
    return f"{path.stem} {run}{path.suffix}"
