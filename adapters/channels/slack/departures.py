"""The end of an installation: somebody removed the app, or took its token back."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from adapters.channels.slack.fields import Record, flag, record, records, size, text, texts

UNINSTALLED: Final = "app_uninstalled"
REVOKED: Final = "tokens_revoked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Departure:
    """Who the app lost; `whole` for an organisation that had installed it as a whole. `team` is empty then.

    `at` is when, in seconds since 1970.
    """

    team: str
    enterprise: str
    whole: bool = False
    at: int = 0


Left = Callable[[Departure], Awaitable[None]]


def read_departure(body: Record) -> Departure | None:
    """The end of an installation in an event's body; None for everything else, also for a person's own token."""
    event = record(body, "event")
    bots = tuple(texts(record(event, "tokens"), "bot"))
    if text(event, "type") != UNINSTALLED and not (text(event, "type") == REVOKED and bots):
        return None
    given = next(records(body, "authorizations"), {})
    whole = flag(given, "is_enterprise_install") or flag(body, "is_enterprise_install")
    team, enterprise = text(body, "team_id"), text(body, "enterprise_id")
    whole = whole or not team
    return Departure(team="" if whole else team, enterprise=enterprise, whole=whole, at=size(body, "event_time"))
