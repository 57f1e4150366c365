"""The forms of buttons that ask for more than one thing."""

from collections.abc import Sequence
from typing import Final

from agent.values.outcome import Proposal
from agent.wording.texts import say
from cards.forms import SQL, WORDS, Form, FormField
from cards.limits import SLACK
from semantic_catalog.model import Locale

PERIODS: Final = ("last_7_days", "last_30_days", "this_month", "last_month", "this_year", "last_12_months")
LIMITS: Final = (3, 5, 10, 20, 50, 100)


def change_form(proposal: Proposal, dimensions: Sequence[str]) -> Form:
    """What to change about a proposal: by choice, in words, or as SQL. `dimensions` are labels to split by.

    SQL that is longer than a box holds is not offered; a note says how to change it.
    """
    locale, long = proposal.locale, len(proposal.query.sql) > SLACK.modal_input
    choices = _choices(locale, dimensions) if proposal.spec is not None else ()
    fields = (*choices, _words(locale), *(() if long else (_sql(proposal),)))
    return Form(
        title=say(locale, "approval.change_title"),
        submit=say(locale, "approval.change_submit"),
        fields=fields,
        note=say(locale, "dialog.sql_too_long") if long else "",
    )


def _choices(locale: Locale, dimensions: Sequence[str]) -> tuple[FormField, ...]:
    """Each option says its change in the words in which a person would write it."""
    periods = tuple((words, words) for words in (say(locale, f"dialog.period_{name}") for name in PERIODS))
    limits = tuple((str(rows), say(locale, "dialog.limit_words", count=rows)) for rows in LIMITS)
    splits = tuple((label, say(locale, "dialog.grouping_words", dimension=label)) for label in dimensions)
    return (
        _choice("period", periods, locale),
        _choice("limit", limits, locale),
        *((_choice("grouping", splits, locale),) if splits else ()),
    )


def _choice(key: str, options: tuple[tuple[str, str], ...], locale: Locale) -> FormField:
    return FormField(
        key=key,
        label=say(locale, f"dialog.{key}"),
        kind="choice",
        options=options,
        placeholder=say(locale, "dialog.keep"),
    )


def _words(locale: Locale) -> FormField:
    return FormField(
        key=WORDS, label=say(locale, "dialog.words_label"), placeholder=say(locale, "dialog.words_placeholder")
    )


def _sql(proposal: Proposal) -> FormField:
    return FormField(key=SQL, label=say(proposal.locale, "dialog.sql_label"), kind="code", initial=proposal.query.sql)
