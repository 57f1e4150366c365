"""Cards, files, groups and given files of every workspace, each with its own bot."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path

from adapters.channels.downloads import UNREACHABLE
from adapters.channels.slack.clients import SlackClients
from adapters.channels.slack.file_source import FILE_HOSTS, SlackFiles
from adapters.channels.slack.groups import SlackGroups
from adapters.channels.slack.members import SlackMembers
from adapters.channels.slack.oauth.workspaces import Workspace, Workspaces
from adapters.channels.slack.outbound import SlackChannel
from adapters.channels.slack.thread_ids import read_slack_thread
from agent.errors import GroupsUnavailable, StoreUnavailable
from agent.values.file import FileRefused
from agent.values.identity import ChannelName, ExternalUser, RunId, ThreadKey
from agent.values.readership import Readership
from agent.values.turn import CardRef, InboundFile, Place
from cards.elements import Attachment, Button, Card
from cards.errors import DeliveryRefused, DeliveryUnavailable
from semantic_catalog.model import Locale

Made = Callable[[SlackClients], SlackChannel]


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspacesChannel:
    """Slack with several workspaces: a thread and a person name theirs. Where none is installed posts are refused."""

    workspaces: Workspaces
    make: Made
    _channels: dict[int, SlackChannel] = field(default_factory=dict, init=False)

    @property
    def name(self) -> ChannelName:
        """The channel's name, as in thread keys."""
        return "slack"

    async def post(self, place: Place, card: Card, key: str) -> CardRef:
        """Post a card into the thread; the same key posts once. Raises `DeliveryUnavailable`, `DeliveryRefused`."""
        return await (await self._of_thread(place.thread)).post(place, card, key)

    async def update(self, place: Place, ref: CardRef, card: Card) -> None:
        """Redraw a posted card. Raises `DeliveryUnavailable`, `DeliveryRefused`."""
        await (await self._of_thread(ref.thread)).update(place, ref, card)

    async def attach(self, place: Place, run: RunId, attachment: Attachment) -> CardRef:
        """Put the file into the thread. Raises `DeliveryUnavailable`, `DeliveryRefused`."""
        return await (await self._of_thread(place.thread)).attach(place, run, attachment)

    async def notify(self, place: Place, user: ExternalUser, text: str) -> None:
        """Tell one person of the conversation."""
        await (await self._of_thread(place.thread)).notify(place, user, text)

    async def offer(
        self, place: Place, user: ExternalUser, text: str, offers: tuple[Button, ...], locale: Locale
    ) -> None:
        """The same with buttons."""
        await (await self._of_thread(place.thread)).offer(place, user, text, offers, locale)

    async def direct(self, user: ExternalUser, card: Card, key: str) -> tuple[CardRef, Place]:
        """Post a card to one person alone. Raises `DeliveryUnavailable`, `DeliveryRefused`."""
        return await (await self._of_team(user.tenant)).direct(user, card, key)

    async def find(self, place: Place, key: str) -> CardRef | None:
        """The message posted there under the key. Raises `DeliveryUnavailable`, `DeliveryRefused`."""
        return await (await self._of_thread(place.thread)).find(place, key)

    async def find_file(self, place: Place, run: RunId, attachment: Attachment) -> CardRef | None:
        """The message that brought the file. Raises `DeliveryUnavailable`, `DeliveryRefused`."""
        return await (await self._of_thread(place.thread)).find_file(place, run, attachment)

    async def find_direct(self, user: ExternalUser, key: str) -> tuple[CardRef, Place] | None:
        """The message to that person alone. Raises `DeliveryUnavailable`, `DeliveryRefused`."""
        return await (await self._of_team(user.tenant)).find_direct(user, key)

    async def takes_part(self, place: Place, user: ExternalUser) -> bool:
        """Whether the person wrote in the thread. Raises `DeliveryUnavailable`, `DeliveryRefused`."""
        return await (await self._of_thread(place.thread)).takes_part(place, user)

    async def is_active(self, user: ExternalUser) -> bool:
        """Whether Slack knows the person and has not deactivated them; of people elsewhere nothing is known.

        Raises `DeliveryUnavailable`.
        """
        channel = await self._installed(user.tenant)
        return channel is None or await channel.is_active(user)

    async def _of_thread(self, thread: ThreadKey) -> SlackChannel:
        return await self._of_team(read_slack_thread(thread).team)

    async def _installed(self, team: str) -> SlackChannel | None:
        """The workspace's channel; None where the app is not installed. Raises `DeliveryUnavailable`."""
        try:
            return await self._of_team(team)
        except DeliveryRefused:
            return None

    async def _of_team(self, team: str) -> SlackChannel:
        clients = (await _workspace(self.workspaces, team)).clients
        # Its pace and what it posted belong to the clients, which live as long as the process.
        if id(clients) not in self._channels:
            self._channels[id(clients)] = self.make(clients)
        return self._channels[id(clients)]


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspacesGroups:
    """Implements `GroupDirectory`: a person's groups are those of their own workspace."""

    workspaces: Workspaces
    _directories: dict[tuple[int, str], SlackGroups] = field(default_factory=dict, init=False)

    async def groups_of(self, user: ExternalUser, groups: Collection[str], *, fresh: bool = False) -> frozenset[str]:
        """Those of `groups` that hold the user. Raises `GroupsUnavailable`."""
        try:
            workspace = await _workspace(self.workspaces, user.tenant)
        except (DeliveryRefused, DeliveryUnavailable) as error:
            raise GroupsUnavailable(error.detail) from None
        team = user.tenant if workspace.owner != user.tenant else ""
        key = (id(workspace.clients), team)
        if key not in self._directories:
            self._directories[key] = SlackGroups(workspace.clients.once, team)
        return await self._directories[key].groups_of(user, groups, fresh=fresh)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspacesMembers:
    """Implements `ChannelMembers`: who reads a conversation, the bot of its workspace knows."""

    workspaces: Workspaces
    _readers: dict[int, SlackMembers] = field(default_factory=dict, init=False)

    async def readers(self, place: Place, most: int) -> Readership:
        """Who reads the thread, looking at `most` people. Raises `DeliveryUnavailable`, `DeliveryRefused`."""
        clients = (await _workspace(self.workspaces, read_slack_thread(place.thread).team)).clients
        if id(clients) not in self._readers:
            self._readers[id(clients)] = SlackMembers(clients.repeating)
        return await self._readers[id(clients)].readers(place, most)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspacesFiles:
    """Implements `FileSource`: a file is fetched by the bot of the workspace it was given in."""

    workspaces: Workspaces
    hosts: tuple[str, ...] = FILE_HOSTS

    async def fetch(self, file: InboundFile, into: Path, most: int) -> FileRefused | None:
        """Write the file's bytes into `into`. Raises `DeliveryUnavailable`."""
        try:
            clients = (await _workspace(self.workspaces, file.tenant)).clients
        except DeliveryRefused:
            return UNREACHABLE
        return await SlackFiles(clients=clients, hosts=self.hosts).fetch(file, into, most)


async def _workspace(workspaces: Workspaces, team: str) -> Workspace:
    """The team's workspace, for whoever knows of deliveries alone. Raises `DeliveryUnavailable`, `DeliveryRefused`."""
    try:
        return await workspaces.of_team(team)
    except StoreUnavailable as error:
        raise DeliveryUnavailable(f"installations: {error.detail}") from None
