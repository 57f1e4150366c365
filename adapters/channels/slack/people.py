"""Who a Slack user is: name, e-mail and language, as their workspace says."""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

import structlog
from slack_sdk.web.async_client import AsyncWebClient

from adapters.channels.slack.errors import asking_slack
from adapters.channels.slack.fields import Record, flag, record, text
from adapters.channels.slack.installation import Installation
from adapters.zones import known_zone
from agent.values.identity import ExternalUser, TenantId, UserId
from cards.errors import DeliveryRefused
from semantic_catalog.model import LOCALES, Locale

KEPT_SECONDS: Final = 600.0
"""How long a change of name or e-mail may go unseen."""

_MOST_KEPT: Final = 10_000
_PATIENCE_SECONDS: Final = 2.0

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackPerson:
    """A person, the language their Slack speaks where it is one of ours, and their time zone where it is told."""

    user: ExternalUser
    locale: Locale | None = None
    timezone: str = ""


class SlackPeople:
    """Looks people up and remembers them for `KEPT_SECONDS`."""

    def __init__(self, client: AsyncWebClient) -> None:
        self._client = client
        self._kept: OrderedDict[tuple[str, str], tuple[float, SlackPerson]] = OrderedDict()

    async def person(self, user: str, team: str, home: Installation) -> SlackPerson:
        """The person; only with their id where Slack does not say more. Raises `DeliveryUnavailable`.

        `team` is their workspace as the event names it. An e-mail is given for people of the home organisation only:
        another workspace could give its users any address.
        """
        now = asyncio.get_running_loop().time()
        # Two workspaces may have a user of the same id.
        key = (team or home.team, user)
        until, kept = self._kept.get(key, (now, None))
        if kept is not None and now < until:
            return kept
        found = person_of(await self._asked(user), user, team or home.team, home)
        self._kept[key] = (now + KEPT_SECONDS, found)
        self._kept.move_to_end(key)
        if len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)
        return found

    async def _asked(self, user: str) -> Record:
        try:
            with asking_slack("users.info"):
                async with asyncio.timeout(_PATIENCE_SECONDS):
                    return record((await self._client.users_info(user=user, include_locale=True)).data, "user")
        except DeliveryRefused as error:
            log.warning("slack_user_unknown", detail=error.detail)
            return {}


def person_of(told: Record, user: str, team: str, home: Installation) -> SlackPerson:
    """The person in the answer of `users.info`."""
    tenant = text(told, "team_id") or team
    return SlackPerson(
        user=ExternalUser(
            channel="slack",
            tenant=TenantId(tenant),
            user_id=UserId(user),
            display_name=_name(told),
            email=_email(told) if _is_of_home(told, tenant, home) else None,
        ),
        locale=_locale(text(told, "locale")),
        timezone=known_zone(text(told, "tz")),
    )


def _name(told: Record) -> str:
    return text(told, "profile", "display_name") or text(told, "profile", "real_name") or text(told, "name")


def _email(told: Record) -> str | None:
    if record(told).get("is_email_confirmed") is False or flag(told, "deleted"):
        return None
    return text(told, "profile", "email") or None


def _is_of_home(told: Record, tenant: str, home: Installation) -> bool:
    enterprise = text(told, "enterprise_user", "enterprise_id")
    same = tenant == home.team or (bool(home.enterprise) and enterprise == home.enterprise)
    return same and not flag(told, "is_stranger")


def _locale(tag: str) -> Locale | None:
    """For example `es` for `es-LA`."""
    language = tag.partition("-")[0].lower()
    return next((locale for locale in LOCALES if locale == language), None)
