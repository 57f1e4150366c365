"""Time columns, time policies and zones make sense together."""

from collections.abc import Iterator
from zoneinfo import ZoneInfo, available_timezones

from semantic_catalog.issues import Issue, nearest
from semantic_catalog.model import Entity
from semantic_catalog.validate.rule import DomainSource

_DAY_KINDS = {"date", "timestamp"}
_DAY_GRAINS = {"day", "week"}


def times_are_sane(source: DomainSource) -> Iterator[Issue]:
    """The zone exists; a month column does not claim days; a policy has a time column and a window that can be met."""
    zone = source.domain.timezone
    if not _is_zone(zone):
        hint = nearest(zone, available_timezones())
        yield source.issue(f"unknown time zone '{zone}'", "timezone", suggestion=hint)
    if source.domain.default_history_months < 1:
        yield source.issue("'default_history_months' must be at least 1", "default_history_months")
    for entity in source.domain.entities:
        yield from _entity_faults(source, entity)


def _entity_faults(source: DomainSource, entity: Entity) -> Iterator[Issue]:
    at = ("entities", entity.name)
    policy = entity.time_policy
    if entity.time is None:
        if policy.required or policy.max_days is not None:
            yield source.issue(f"'{entity.name}' has a time policy and no time column", *at, "time_policy")
        return
    if entity.time.kind not in _DAY_KINDS and entity.time.grain in _DAY_GRAINS:
        message = f"a {entity.time.kind} column cannot answer the grain '{entity.time.grain}'"
        yield source.issue(message, *at, "time", "grain")
    if policy.max_days is not None and policy.max_days < 1:
        yield source.issue("'max_days' must be at least 1", *at, "time_policy", "max_days")
    if policy.max_days is not None and not policy.required:
        yield source.issue("a window of 'max_days' needs 'required: true'", *at, "time_policy", "max_days")


def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (OSError, ValueError, KeyError):
        return False
    return True
