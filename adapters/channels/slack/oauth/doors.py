"""One door a workspace: whatever comes in goes through the door of its own."""

from dataclasses import dataclass, field

from adapters.channels.slack.background import Background
from adapters.channels.slack.door import Door, Follows, Receive
from adapters.channels.slack.installation import KnownBot
from adapters.channels.slack.oauth.workspaces import Workspace
from adapters.channels.slack.people import SlackPeople
from adapters.channels.slack.replies import PrivateReplies
from adapters.channels.slack.surfaces import Surfaces
from agent.ports import Clock
from semantic_catalog.model import Locale


@dataclass(frozen=True, slots=True, kw_only=True)
class Doors:
    """Opens a workspace's door when it is first needed and keeps it, with what it knows of people."""

    background: Background
    receive: Receive
    follows: Follows
    surfaces: Surfaces
    clock: Clock
    default_locale: Locale
    _open: dict[tuple[str, str], tuple[Workspace, Door]] = field(default_factory=dict, init=False)

    def of(self, workspace: Workspace) -> Door:
        """The workspace's door; a new one after it was installed anew."""
        key = (workspace.owner, workspace.home.team)
        known, door = self._open.get(key, (None, None))
        if door is None or known is None or known.home != workspace.home:
            door = self._made(workspace)
            self._open[key] = (workspace, door)
        return door

    def _made(self, workspace: Workspace) -> Door:
        clients = workspace.clients
        return Door(
            bot=KnownBot(home=workspace.home),
            clients=clients,
            people=SlackPeople(clients.once),
            replies=PrivateReplies(client=clients.once),
            background=self.background,
            receive=self.receive,
            follows=self.follows,
            surfaces=self.surfaces,
            clock=self.clock,
            default_locale=self.default_locale,
        )
