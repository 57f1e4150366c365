"""From an error to what the person is told: one table."""

from datetime import datetime

import structlog

from agent.budgeting import refusal_over
from agent.errors import ModelOverBudget, QueryCancelled, StoreUnavailable, WarehouseResting, WarehouseUnavailable
from agent.values.identity import RunId
from agent.values.outcome import Failure, Outcome, Refusal, Rejected
from agent.wording.texts import has, say
from cards.build.notices import groups_missing_notice, unknown_person_notice
from cards.errors import DeliveryUnavailable
from semantic_catalog.errors import AskerError, CountersignError, OperatorError
from semantic_catalog.model import Locale

log = structlog.get_logger()

TRIED_AGAIN = (WarehouseUnavailable, StoreUnavailable, DeliveryUnavailable)
"""Errors that pass by themselves: the turn is kept in the inbox and tried again."""


def outcome_of(error: Exception, run: RunId, locale: Locale, now: datetime) -> Outcome:
    """What the person reads: words they can act on, or a reference whose detail is in the log."""
    if isinstance(error, QueryCancelled):
        return Rejected(run=run, locale=locale, kind="cancel", by_name="", at=now)
    if isinstance(error, ModelOverBudget) and error.overrun:
        return refusal_over(error.overrun, run, locale)
    if isinstance(error, AskerError):
        return Failure(
            run=run,
            locale=locale,
            code=error.code,
            message=say(locale, text_key(error.code, "asker"), **error.params),
            reference=run,
        )
    code = error.code if isinstance(error, CountersignError) else "internal"
    detail = error.detail if isinstance(error, OperatorError) else type(error).__name__
    # Said once when it began to rest; each turn that comes by meanwhile is no failure of its own.
    tell = log.info if isinstance(error, WarehouseResting) else log.error
    tell("run_failed", run=run, code=code, detail=detail, exc_info=not isinstance(error, OperatorError))
    return Failure(
        run=run,
        locale=locale,
        code=code,
        message=_told(error, code, locale),
        reference=run,
        may_retry=not isinstance(error, TRIED_AGAIN),
    )


def _told(error: Exception, code: str, locale: Locale) -> str:
    if isinstance(error, WarehouseResting) and error.names is not None:
        return say(locale, "error.warehouse_resting_named", domain=error.names.in_locale(locale))
    return say(locale, text_key(code, "operator"))


def unknown_person(run: RunId, locale: Locale, user: str) -> Refusal:
    """No principal, no data."""
    return Refusal(
        run=run,
        locale=locale,
        rule="unknown_person",
        message=unknown_person_notice(locale, user),
    )


def groups_missing(run: RunId, locale: Locale) -> Refusal:
    """Nothing is known of the person but by a group, and nobody says who is in it."""
    return Refusal(run=run, locale=locale, rule="groups_missing", message=groups_missing_notice(locale))


def text_key(code: str, otherwise: str) -> str:
    """The error's own text where there is one."""
    key = f"error.{code}"
    return key if has(key) else f"error.{otherwise}"
