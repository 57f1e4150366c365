"""Where encrypted installations are kept, as this package sees it."""

from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Protocol


class LockedRow(Protocol):
    """An installation that nobody else changes meanwhile."""

    @property
    def sealed(self) -> bytes:
        """The encrypted installation."""
        ...

    async def replace(self, sealed: bytes) -> None:
        """Keep this in its place."""
        ...


class InstallationRows(Protocol):
    """Encrypted installations by owner: a workspace (T…) or an organisation (E…). Raises `StoreUnavailable`."""

    async def put(self, owner: str, sealed: bytes) -> None:
        """Keep the installation in place of the owner's last one."""
        ...

    async def get(self, owner: str) -> bytes | None:
        """The owner's installation, or None."""
        ...

    def locked(self, owner: str) -> AbstractAsyncContextManager[LockedRow | None]:
        """The owner's installation, changed by nobody else while inside."""
        ...

    async def delete(self, owner: str) -> None:
        """Forget the installation and the workspaces it served."""
        ...

    async def owners(self) -> tuple[str, ...]:
        """Whoever installed the app."""
        ...


class ServedWorkspaces(Protocol):
    """Which workspaces an organisation's installation serves. Raises `StoreUnavailable`."""

    async def learn(self, team: str, owner: str) -> None:
        """The workspace is served by that organisation's installation."""
        ...

    async def teams_of(self, owner: str) -> tuple[str, ...]:
        """The workspaces known to be served by the organisation's installation."""
        ...

    async def owner_of(self, team: str) -> str | None:
        """The organisation whose installation serves the workspace, as far as it was met."""
        ...


class StateRows(Protocol):
    """Installations under way, by the digest of their state. Raises `StoreUnavailable`."""

    async def issue(self, digest: bytes, expires_at: datetime) -> None:
        """Remember a state until then."""
        ...

    async def consume(self, digest: bytes, now: datetime) -> bool:
        """Whether the state was issued, is not past its time and was not consumed before."""
        ...


class OAuthRows(InstallationRows, ServedWorkspaces, StateRows, Protocol):
    """All of it, in one store."""
