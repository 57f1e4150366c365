"""The workspaces that installed the app, each with clients of its own token."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import structlog
from aiohttp import ClientSession
from slack_sdk.oauth.installation_store import Installation as Stored

from adapters.channels.slack.clients import SLACK_API, SlackClients, clients_over
from adapters.channels.slack.installation import Installation
from adapters.channels.slack.oauth.installations import StoredInstallations
from adapters.channels.slack.oauth.rows import ServedWorkspaces
from adapters.channels.slack.oauth.seals import InstallationUnreadable
from cards.errors import DeliveryRefused, DeliveryUnavailable

KEPT_SECONDS: Final = 15.0
"""How long a new token, or the end of an installation, may go unseen by another process."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """A workspace with the bot in it. `owner` is the organisation where that installed the app for all of it."""

    owner: str
    home: Installation
    clients: SlackClients


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A workspace as an event names it; `whole` tells that its organisation installed the app. Unnamed is empty."""

    enterprise: str
    team: str
    whole: bool = False


class Workspaces:
    """Finds workspaces by what events and threads call them.

    Raises `StoreUnavailable`, and `DeliveryUnavailable` for an installation that cannot be decrypted, or whose token
    ended and is not renewed.
    """

    def __init__(
        self,
        installations: StoredInstallations,
        served: ServedWorkspaces,
        session: ClientSession,
        base_url: str = SLACK_API,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._installations = installations
        self._served = served
        self._session = session
        self._base_url = base_url
        self._seconds = seconds
        self._clients: dict[str, SlackClients] = {}
        self._kept: dict[str, tuple[float, Stored | None]] = {}
        self._learned: dict[str, str] = {}

    async def of_event(self, named: Named) -> Workspace | None:
        """The workspace an event is of; None where the app is not installed. Raises `DeliveryUnavailable`."""
        found = None if named.whole else await self._of(named.team, named.team)
        if found is None and named.enterprise:
            found = await self._of(named.enterprise, named.team)
            await self._learn(found)
        return found

    async def of_team(self, team: str) -> Workspace:
        """The workspace of a thread or a person. Raises `DeliveryRefused` where the app is not installed."""
        found = await self._of(team, team)
        if found is None:
            owner = self._learned.get(team) or await self._served.owner_of(team)
            found = await self._of(owner, team) if owner else None
        if found is None:
            raise DeliveryRefused("the app is not installed in that workspace")
        return found

    def forget(self, owner: str) -> None:
        """The installation was replaced or has ended."""
        self._kept.pop(owner, None)

    async def _of(self, owner: str, team: str) -> Workspace | None:
        stored = await self._stored(owner)
        if stored is None or not stored.bot_token:
            return None
        home = Installation(
            team=team or stored.team_id or owner,
            enterprise=stored.enterprise_id or "",
            bot_id=stored.bot_id or "",
            bot_user=stored.bot_user_id or "",
        )
        return Workspace(owner=owner, home=home, clients=self._clients_of(owner, stored.bot_token))

    async def _stored(self, owner: str) -> Stored | None:
        now = self._seconds()
        until, kept = self._kept.get(owner, (now, None))
        if now < until:
            return kept
        stored = await self._fresh(owner) if owner else None
        if stored is not None:
            self._kept[owner] = (now + KEPT_SECONDS, stored)
        else:
            self._kept.pop(owner, None)
        return stored

    async def _fresh(self, owner: str) -> Stored | None:
        try:
            return await self._installations.fresh(owner)
        except InstallationUnreadable as error:
            # Somebody has to bring the key back; what waits for it is kept.
            log.warning("slack_installation_unreadable", owner=owner)
            raise DeliveryUnavailable(f"installation: {error.detail}") from None

    def _clients_of(self, owner: str, token: str) -> SlackClients:
        """The same clients for as long as the process lives: whoever holds them goes on with the new token."""
        held = self._clients.get(owner)
        if held is None:
            held = self._clients[owner] = clients_over(self._session, token, self._base_url)
        elif held.once.token != token:
            held.renew(token)
        return held

    async def _learn(self, found: Workspace | None) -> None:
        if found is not None and self._learned.get(found.home.team) != found.owner:
            await self._served.learn(found.home.team, found.owner)
            self._learned[found.home.team] = found.owner
