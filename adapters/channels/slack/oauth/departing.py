"""What happens to an installation when its workspace removes the app."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from adapters.channels.slack.departures import Departure
from adapters.channels.slack.oauth.installations import owner_of
from adapters.channels.slack.oauth.rows import OAuthRows
from adapters.channels.slack.oauth.workspaces import Workspaces

Ended = Callable[[tuple[str, ...]], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedInstallations:
    """`ended` is told the workspaces; then the installation is deleted. Repeating it is harmless."""

    rows: OAuthRows
    workspaces: Workspaces
    ended: Ended

    async def left(self, departure: Departure) -> None:
        """Clean up. Raises `StoreUnavailable`."""
        owner = owner_of(departure.enterprise, departure.team, whole=departure.whole)
        teams = await self.rows.teams_of(owner) if departure.whole else (departure.team,)
        await self.ended(teams)
        await self.rows.delete(owner)
        self.workspaces.forget(owner)
