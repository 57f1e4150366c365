"""Private words to one person: why a click did nothing, or why a question was not taken."""

from collections.abc import Sequence
from math import ceil

from agent.values.rate import Excess
from agent.wording.texts import say
from cards.build.phrases import either_of, notice
from cards.elements import Attachment, Card
from semantic_catalog.model import Locale


def stranger_notice(locale: Locale, approvers: Sequence[str]) -> str:
    """To somebody who pressed Approve or Reject without the authority; names who has it."""
    if not approvers:
        return say(locale, "card.stranger_nobody")
    return say(locale, "card.stranger", approvers=either_of(approvers, locale))


def stranger_cancel_notice(locale: Locale) -> str:
    """To somebody who pressed Stop on another person's question."""
    return say(locale, "card.stranger_cancel")


def standing_notice(locale: Locale) -> str:
    """To somebody who may approve this question, but not once for all."""
    return say(locale, "approval.not_for_kinds")


def too_many_notice(locale: Locale, excess: Excess) -> str:
    """To somebody whose message was one too many in a minute: of theirs, of the thread, or of all people together."""
    rate = excess.rate
    return say(locale, f"budget.rate_{rate.name}", count=rate.limit, seconds=max(1, ceil(excess.seconds)))


def file_not_taken_card(file: Attachment, locale: Locale, link: str) -> Card:
    """In place of a file that the platform does not take: where it is to be had, or that it is not (no `link`)."""
    megabytes = ceil(file.size / 1_000_000)
    if link:
        words = say(locale, "dialog.file_linked", title=file.title, megabytes=megabytes, link=link)
    else:
        words = say(locale, "dialog.file_not_taken", title=file.title, megabytes=megabytes)
    return Card(kind="notice", elements=(notice("info", words),), fallback=words, locale=locale)


def stale_notice(locale: Locale) -> str:
    """To somebody who pressed a button of a card that is no longer open."""
    return say(locale, "card.stale")


def malformed_notice(locale: Locale) -> str:
    """To somebody who pressed a button that this version cannot read."""
    return say(locale, "card.malformed")


def unknown_person_notice(locale: Locale, user: str) -> str:
    """To somebody the policy does not know; `user` is the id an administrator needs, in the channel's own form."""
    return say(locale, "card.unknown_person", user=user)


def groups_missing_notice(locale: Locale) -> str:
    """To somebody whose groups could not be looked up."""
    return say(locale, "approval.groups_missing")


def feedback_notice(locale: Locale) -> str:
    """To somebody who pressed a thumb."""
    return say(locale, "card.feedback_noted")


def notice_card(locale: Locale, text: str) -> Card:
    """A notice as a card, where the channel has no private message."""
    return Card(kind="notice", elements=(notice("warning", text),), fallback=text, locale=locale)


def stranger_choice_notice(locale: Locale) -> str:
    """To somebody who answered a question that was asked of another person."""
    return say(locale, "answer.stranger_choice")
