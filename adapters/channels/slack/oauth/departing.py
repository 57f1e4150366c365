"""What happens to an installation when its workspace removes the app."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import structlog

from adapters.channels.slack.departures import Departure
from adapters.channels.slack.oauth.installations import StoredInstallations, owner_of
from adapters.channels.slack.oauth.rows import OAuthRows
from adapters.channels.slack.oauth.workspaces import Workspaces

log = structlog.get_logger()

Ended = Callable[[tuple[str, ...]], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedInstallations:
    """`ended` is told the workspaces; then the installation is deleted. Repeating it is harmless."""

    rows: OAuthRows
    installations: StoredInstallations
    workspaces: Workspaces
    ended: Ended

    async def left(self, departure: Departure) -> None:
        """Clean up. Raises `StoreUnavailable`."""
        owner = owner_of(departure.enterprise, departure.team, whole=departure.whole)
        if await self.installations.installed_after(owner, departure.at):
            # Slack tells it again for minutes; the app may be back by then.
            log.info("slack_departure_outdated", owner=owner)
            return
        teams = await self.rows.teams_of(owner) if departure.whole else (departure.team,)
        await self.ended(teams)
        await self.rows.delete(owner)
        self.workspaces.forget(owner)
