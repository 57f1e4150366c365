"""The refusal of a question that needs what a restriction keeps from the asker, in words, with what to ask instead."""

from dataclasses import replace
from datetime import date

from agent.analysis.suggest import question_text
from agent.sql.restrictions import Withheld, withheld_from
from agent.values.identity import Principal, RunId
from agent.values.outcome import Refusal, Suggestion
from agent.values.spec import QuerySpec
from agent.wording.texts import say
from semantic_catalog.model import Domain, Locale, MetricName


def restricted_refusal(
    spec: QuerySpec, domain: Domain, principal: Principal, today: date, run: RunId, locale: Locale
) -> Refusal | None:
    """None when no restriction of `principal` hides anything that the question needs.

    The offered questions are in `locale` and run as they stand.
    """
    withheld = withheld_from(principal, spec, domain, today)
    if withheld is None:
        return None
    return Refusal(
        run=run,
        locale=locale,
        rule="rows_not_permitted" if withheld.members else "metric_restricted",
        message=" ".join((_reason(withheld, domain, locale), *_what_instead(withheld, domain, locale))),
        next_step=say(locale, "answer.refusal_next_step"),
        suggestions=tuple(_suggestion(offer, domain, locale) for offer in withheld.offers),
    )


def _reason(withheld: Withheld, domain: Domain, locale: Locale) -> str:
    if withheld.dimension:
        return say(locale, "refusal.not_covered", asked=_members(withheld, domain, locale))
    if withheld.metric is None or withheld.needs is None:
        raise ValueError("something is withheld: a metric or members")
    asked, needed = (_label(name, domain, locale) for name in (withheld.metric, withheld.needs))
    if withheld.metric != withheld.needs:
        return say(locale, "refusal.needs_not_covered", asked=asked, hidden=needed)
    holds_more = bool(domain.metric(withheld.metric).needs_one_of)
    return say(locale, "refusal.partly_not_covered" if holds_more else "refusal.not_covered", asked=asked)


def _members(withheld: Withheld, domain: Domain, locale: Locale) -> str:
    members = domain.dimension(withheld.dimension).members if withheld.dimension else ()
    return ", ".join(member.names.in_locale(locale) for member in members if member.value in withheld.members)


def _what_instead(withheld: Withheld, domain: Domain, locale: Locale) -> tuple[str, ...]:
    offers = (_timeless(offer, domain, locale) for offer in withheld.offers)
    allowed = ", ".join(say(locale, "receipt.quoted", words=offer) for offer in offers)
    return (say(locale, "refusal.ask_instead", allowed=allowed),) if allowed else ()


def _suggestion(offer: QuerySpec, domain: Domain, locale: Locale) -> Suggestion:
    return Suggestion(label=_timeless(offer, domain, locale), question=question_text(offer, domain, locale))


def _timeless(offer: QuerySpec, domain: Domain, locale: Locale) -> str:
    return question_text(replace(offer, period=None, comparison=None), domain, locale)


def _label(name: MetricName, domain: Domain, locale: Locale) -> str:
    return domain.metric(name).names.in_locale(locale)
