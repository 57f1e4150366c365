from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from agent.understanding.options import offered_periods
from agent.understanding.templates import read_period
from agent.values.spec import MemberFilter, Option, Period, QuerySpec, Threshold
from agent.wording.texts import say
from semantic_catalog.model import LOCALES, DimensionName, Locale, MetricName
from tests.unit.agent.understanding.asking import PAYMENTS, TODAY, ask, payments

OCTOBER = Period(start=date(2026, 10, 1), end=date(2026, 10, 31), timezone="America/Lima", words="last_month")
APPROVAL = QuerySpec(domain=PAYMENTS, metrics=(MetricName("approval_rate"),), period=OCTOBER)


@pytest.mark.parametrize("locale", LOCALES)
def test_every_offered_period_can_be_read_back(locale: Locale) -> None:
    for offered in offered_periods(payments(), locale, TODAY):
        span = read_period(offered.option.value, locale, TODAY)
        assert span is not None
        assert (span.start, span.end) == (offered.period.start, offered.period.end)


@pytest.mark.parametrize("answer", ["last closed month", "October 2026", "el mes pasado"])
async def test_an_answered_period_settles_the_question(answer: str) -> None:
    meaning = await ask("approval rate", pinned=(("period", answer),))
    assert meaning.slots == ()
    assert meaning.spec is not None
    assert meaning.spec.period is not None
    assert (meaning.spec.period.start, meaning.spec.period.end) == (OCTOBER.start, OCTOBER.end)


@pytest.mark.parametrize("answer", ["approval_rate", "approval rate", "the approval rate please"])
async def test_an_answered_metric_settles_the_question(answer: str) -> None:
    meaning = await ask("the rate last month", pinned=(("metric", answer),))
    assert meaning.spec == APPROVAL


async def test_metric_and_period_are_asked_one_after_the_other_and_both_answers_hold() -> None:
    first = await ask("the rate by channel")
    assert [slot.name for slot in first.slots] == ["metric", "period"]
    second = await ask("the rate by channel", pinned=(("metric", "approval_rate"),))
    assert [slot.name for slot in second.slots] == ["period"]
    third = await ask("the rate by channel", pinned=(("metric", "approval_rate"), ("period", "last month")))
    assert third.spec == replace(APPROVAL, dimensions=(DimensionName("channel"),))


async def test_an_answer_may_say_more_than_was_asked() -> None:
    meaning = await ask("покажи оборот", pinned=(("period", "с начала года, по месяцам"),))
    assert meaning.spec is not None
    assert (meaning.spec.grain, meaning.spec.metrics) == ("month", ("processed_amount",))


async def test_an_answer_that_says_nothing_is_asked_again() -> None:
    meaning = await ask("approval rate", pinned=(("period", "whatever"),))
    assert "period" in [slot.name for slot in meaning.slots]


async def test_defaults_are_taken_and_said_when_no_more_may_be_asked() -> None:
    meaning = await ask("approval rate by channel", assume=True)
    assert meaning.spec == replace(APPROVAL, dimensions=(DimensionName("channel"),))
    assert [assumption.key for assumption in meaning.assumptions] == ["period_default"]


async def test_an_unknown_word_that_could_filter_is_asked_about_and_never_dropped() -> None:
    meaning = await ask("billing in Bogotá last month")
    assert [(slot.name, slot.reason, slot.words) for slot in meaning.slots] == [("member", "unknown", "Bogotá")]


async def test_the_asker_may_let_the_unknown_word_go() -> None:
    meaning = await ask("billing in Bogotá last month", pinned=(("member", "without"),))
    assert meaning.spec is not None
    assert (meaning.spec.filters, meaning.unused_words) == ((), ("Bogotá",))
    assert meaning.confidence < 1


async def test_a_near_name_is_offered_and_taken() -> None:
    asked = await ask("billing in Limma last month")
    assert asked.slots[0].options[0] == Option(label="Lima", value="region=Lima", description="Region")
    meaning = await ask("billing in Limma last month", pinned=(("member", "region=Lima"),))
    assert meaning.spec is not None
    assert meaning.spec.filters == (MemberFilter(dimension=DimensionName("region"), values=("Lima",)),)


async def test_what_no_source_gives_together_is_asked_with_ways_that_work() -> None:
    meaning = await ask("chargebacks by region last month")
    slot = meaning.slots[0]
    assert (slot.name, slot.reason) == ("dimension", "not_offered")
    answered = await ask("chargebacks by region last month", pinned=(("dimension", slot.options[0].value),))
    assert answered.spec is not None
    assert answered.spec.dimensions == ("channel",)


async def test_a_window_too_long_for_its_only_source_offers_shorter_ones() -> None:
    meaning = await ask("declined transactions by region and response reason this year")
    slot = meaning.slots[0]
    assert (slot.name, slot.reason) == ("period", "not_offered")
    assert "last 7 days" in [option.value for option in slot.options]


async def test_an_average_that_no_metric_means_is_not_silently_dropped() -> None:
    meaning = await ask("average processed amount by channel last month")
    assert (meaning.slots[0].name, meaning.slots[0].reason) == ("metric", "not_offered")
    assert [option.value for option in meaning.slots[0].options] == ["average_ticket", "processed_amount"]


async def test_a_percentage_of_an_amount_is_not_taken_for_the_amount() -> None:
    meaning = await ask("merchants with billing more than 5% last month")
    assert [(slot.name, slot.words) for slot in meaning.slots] == [("member", "more than 5 %")]


@pytest.mark.parametrize(("said", "value"), [("80%", "0.8"), ("80", "0.8"), ("0.8", "0.8"), ("80 percent", "0.8")])
async def test_a_percentage_is_stored_as_a_fraction(said: str, value: str) -> None:
    meaning = await ask(f"merchants with approval rate below {said} last month")
    assert meaning.spec is not None
    below = Threshold(metric=MetricName("approval_rate"), operator="<", value=Decimal(value))
    assert meaning.spec.having == (below,)


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("slot", ["metric", "period", "dimension", "member", "domain", "relation"])
@pytest.mark.parametrize("reason", ["missing", "ambiguous", "unknown", "not_offered"])
def test_every_question_back_has_its_words(locale: Locale, slot: str, reason: str) -> None:
    for part in ("question", "why"):
        assert say(locale, f"clarify.{slot}_{reason}_{part}", words="Bogotá")
