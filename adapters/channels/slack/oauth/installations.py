"""Installations with fresh tokens: encrypted at rest, rotated before they end."""

import logging
import time
from logging import Logger
from typing import Final

import structlog
from slack_sdk.errors import SlackTokenRotationError
from slack_sdk.oauth.installation_store import Bot, Installation
from slack_sdk.oauth.installation_store.async_installation_store import AsyncInstallationStore
from slack_sdk.oauth.token_rotation.async_rotator import AsyncTokenRotator

from adapters.channels.slack.errors import asking_slack
from adapters.channels.slack.oauth.rows import InstallationRows
from adapters.channels.slack.oauth.seals import InstallationUnreadable, Seals
from cards.errors import DeliveryRefused, DeliveryUnavailable

ROTATED_BEFORE_MINUTES: Final = 120
"""A token that rotates lives for twelve hours."""

log = structlog.get_logger()


def owner_of(enterprise: str | None, team: str | None, *, whole: bool | None) -> str:
    """Whose installation it is: the organisation's where it was installed for all of it, else the workspace's."""
    return (enterprise if whole else team) or enterprise or ""


class StoredInstallations(AsyncInstallationStore):
    """The newest installation of each workspace or organisation. Only the bot's tokens are asked for and kept.

    Raises `StoreUnavailable`, and `InstallationUnreadable` where the keys do not fit.
    """

    def __init__(self, rows: InstallationRows, seals: Seals, rotator: AsyncTokenRotator) -> None:
        self._rows = rows
        self._seals = seals
        self._rotator = rotator

    @property
    def logger(self) -> Logger:
        """The SDK's logger."""
        return logging.getLogger(__name__)

    async def async_save(self, installation: Installation) -> None:
        """Keep the installation in place of its owner's last one."""
        await self._rows.put(_owner(installation), self._seals.seal(installation))

    async def async_save_bot(self, bot: Bot) -> None:
        """Keep the bot's new token in its owner's installation; nothing where there is none."""
        async with self._rows.locked(owner_of(bot.enterprise_id, bot.team_id, whole=bot.is_enterprise_install)) as row:
            if row is not None:
                await row.replace(self._seals.seal(_with_token(self._seals.open(row.sealed), bot)))

    async def async_find_installation(
        self,
        *,
        enterprise_id: str | None,
        team_id: str | None,
        user_id: str | None = None,  # noqa: ARG002  # the SDK's arguments: no person's own token is kept
        is_enterprise_install: bool | None = False,
    ) -> Installation | None:
        """The owner's installation. `team_id` may be None for an organisation's."""
        sealed = await self._rows.get(owner_of(enterprise_id, team_id, whole=is_enterprise_install))
        return None if sealed is None else self._seals.open(sealed)

    async def async_find_bot(
        self, *, enterprise_id: str | None, team_id: str | None, is_enterprise_install: bool | None = False
    ) -> Bot | None:
        """The bot of the owner's installation."""
        found = await self.async_find_installation(
            enterprise_id=enterprise_id, team_id=team_id, is_enterprise_install=is_enterprise_install
        )
        return None if found is None else found.to_bot()

    async def async_delete_bot(self, *, enterprise_id: str | None, team_id: str | None) -> None:
        """Forget the owner's installation."""
        await self._rows.delete(owner_of(enterprise_id, team_id, whole=not team_id))

    async def async_delete_installation(
        self, *, enterprise_id: str | None, team_id: str | None, user_id: str | None = None
    ) -> None:
        """One person's own token is nothing that is kept."""

    async def fresh(self, owner: str) -> Installation | None:
        """The owner's installation with a token that is good for a while; one process at a time renews it.

        Raises `DeliveryUnavailable` where Slack renews none just now, `DeliveryRefused` where it never will.
        """
        sealed = await self._rows.get(owner)
        if sealed is None:
            return None
        held = self._seals.open(sealed)
        return held if not _ends_soon(held) else await self._renewed(owner)

    async def installed_after(self, owner: str, seconds: float) -> bool:
        """Whether the owner's installation is newer than that, in seconds since 1970; a second is no difference."""
        sealed = await self._rows.get(owner)
        try:
            return sealed is not None and self._seals.open(sealed).installed_at > seconds + 1
        except InstallationUnreadable:
            return False

    async def encrypt_again(self) -> None:
        """Encrypt everything with the first key; what no key opens stays as it is. Repeating it is harmless."""
        for owner in await self._rows.owners():
            async with self._rows.locked(owner) as row:
                try:
                    if row is not None:
                        await row.replace(self._seals.again(row.sealed))
                except InstallationUnreadable:
                    log.warning("slack_installation_unreadable", owner=owner)

    async def _renewed(self, owner: str) -> Installation | None:
        async with self._rows.locked(owner) as row:
            if row is None:
                return None
            held = self._seals.open(row.sealed)
            if not _ends_soon(held):
                return held
            bot = await self._rotated(held)
            if bot is None:
                return held
            renewed = _with_token(held, bot)
            await row.replace(self._seals.seal(renewed))
            log.info("slack_token_renewed", owner=owner)
            return renewed

    async def _rotated(self, held: Installation) -> Bot | None:
        """The bot with its next token; None where Slack gives none and the present one is still good."""
        try:
            with asking_slack("oauth.v2.access"):
                return await _rotate(self._rotator, held.to_bot())
        except (DeliveryUnavailable, DeliveryRefused) as error:
            if _ends_soon(held, 1):
                raise
            log.warning("slack_token_not_renewed", detail=error.detail)
            return None


async def _rotate(rotator: AsyncTokenRotator, bot: Bot) -> Bot | None:
    try:
        return await rotator.perform_bot_token_rotation(bot=bot, minutes_before_expiration=ROTATED_BEFORE_MINUTES)
    except SlackTokenRotationError as error:
        # The SDK wraps what Slack said.
        raise error.api_error from None


def _ends_soon(held: Installation, minutes: float = ROTATED_BEFORE_MINUTES) -> bool:
    ends = held.bot_token_expires_at
    return ends is not None and ends <= time.time() + minutes * 60


def _owner(installation: Installation) -> str:
    return owner_of(installation.enterprise_id, installation.team_id, whole=installation.is_enterprise_install)


def _with_token(held: Installation, bot: Bot) -> Installation:
    fields = {
        **held.to_dict_for_copying(),
        "bot_token": bot.bot_token,
        "bot_refresh_token": bot.bot_refresh_token,
        "bot_token_expires_at": bot.bot_token_expires_at,
    }
    return Installation(**fields)
