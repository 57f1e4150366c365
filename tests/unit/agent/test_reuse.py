from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

import pytest

from agent.errors import CacheUnavailable
from agent.values.identity import RowRule
from agent.values.known_answer import KnownAnswer
from agent.values.outcome import Answer
from bot.run_events import events_of
from semantic_catalog.model import CatalogVersion, DomainName
from tests.fakes.warehouse import ScriptedResult, ScriptedWarehouse
from tests.unit.agent.conversing import ALONE, SIGNED, Conversation, person, policy_of
from tests.unit.agent.understanding.asking import payments_only

OCTOBER = "processed amount by channel last month"
SAME_MEANING = "billing per channel in October 2026"
DAILY = ("semantic.v_daily_payment_metrics", "payment_date")
MONTHLY = ("semantic.v_monthly_payment_metrics", "payment_month")
LIMA = RowRule(
    domain=DomainName("payments"),
    source=MONTHLY[0],
    predicate="region = 'Lima'",
    label=(("en", "Lima only"),),
    column="region",
    members=("Lima",),
)


def engine() -> ScriptedWarehouse:
    rows = (("pos", Decimal(700)), ("ecommerce", Decimal(300)))
    return ScriptedWarehouse(
        otherwise=ScriptedResult(columns=(("channel", "text"), ("processed_amount", "numeric")), rows=rows),
        newest={DAILY: date(2026, 10, 31), MONTHLY: date(2026, 10, 1)},
    )


@pytest.fixture
def talk() -> Conversation:
    return Conversation(engine())


def runs(talk: Conversation) -> int:
    return len(talk.warehouse.ran)


async def test_the_same_meaning_in_other_words_runs_nothing_and_says_whose_rows_they_are(talk: Conversation) -> None:
    first = await talk.answered(OCTOBER)
    at = talk.clock.now()
    talk.clock.advance(timedelta(minutes=5))
    second = await talk.answered(SAME_MEANING)
    assert runs(talk) == 1
    assert (first.fetched_at, second.fetched_at) == (None, at)
    assert (second.sample, second.narrative, second.data_until) == (first.sample, first.narrative, first.data_until)
    assert second.approved_by == "policy:acme"


async def test_the_log_says_that_nothing_ran_and_where_the_rows_are_from(talk: Conversation) -> None:
    first = await talk.ask(OCTOBER)
    second = await talk.ask(OCTOBER)
    [event] = [event for event in events_of(second) if event.once == "ran"]
    assert event.name == "reused"
    assert event.facts["fetched_by"] == first.outcome.run
    assert "ran" in {event.name for event in events_of(first)}


async def test_another_person_never_gets_them_even_with_the_same_rights(talk: Conversation) -> None:
    await talk.answered(OCTOBER, "ana")
    assert (await talk.answered(OCTOBER, "ben")).fetched_at is None
    assert runs(talk) == 2


async def test_newer_data_is_asked_for(talk: Conversation) -> None:
    await talk.answered(OCTOBER)
    talk.warehouse.newest = {DAILY: date(2026, 11, 1), MONTHLY: date(2026, 11, 1)}
    assert (await talk.answered(OCTOBER)).fetched_at is None
    assert runs(talk) == 2


async def test_a_rule_that_is_new_to_the_asker_asks_again(talk: Conversation) -> None:
    await talk.answered(OCTOBER)
    talk.policy.policy = policy_of(ALONE, person("ana", row_rules=(LIMA,)))
    assert (await talk.answered(OCTOBER)).fetched_at is None
    assert runs(talk) == 2


async def test_an_edited_policy_asks_again_whatever_was_edited(talk: Conversation) -> None:
    await talk.answered(OCTOBER)
    talk.policy.policy = policy_of(version="2")
    assert (await talk.answered(OCTOBER)).fetched_at is None


async def test_another_catalog_asks_again(talk: Conversation) -> None:
    await talk.answered(OCTOBER)
    catalog = replace(payments_only(), version=CatalogVersion("another"))
    changed = Conversation(engine(), catalog=catalog, answers=talk.answers)
    assert (await changed.answered(OCTOBER)).fetched_at is None


async def test_another_language_has_labels_of_its_own(talk: Conversation) -> None:
    await talk.answered(OCTOBER)
    spanish = await talk.answered("monto procesado por canal el mes pasado")
    assert spanish.fetched_at is None
    assert spanish.sample.columns[0].label == "Canal"


async def test_a_query_that_a_person_signs_is_run() -> None:
    talk = Conversation(engine(), policy_of(SIGNED))
    for _ in range(2):
        answer = await talk.decide(await talk.proposed(OCTOBER))
        assert isinstance(answer, Answer)
        assert answer.fetched_at is None
    assert runs(talk) == 2


async def test_rows_that_are_gone_are_fetched_again(talk: Conversation) -> None:
    await talk.answered(OCTOBER)
    await talk.results.expire(talk.clock.now() + timedelta(days=8))
    assert (await talk.answered(OCTOBER)).fetched_at is None
    assert runs(talk) == 2


async def test_no_rows_are_asked_for_again(talk: Conversation) -> None:
    talk.warehouse.otherwise = replace(talk.warehouse.otherwise, rows=())
    await talk.ask(OCTOBER)
    await talk.ask(OCTOBER)
    assert runs(talk) == 2


class Away:
    async def find(self, key: str) -> KnownAnswer | None:
        raise CacheUnavailable(key[:0])

    async def keep(self, key: str, known: KnownAnswer) -> None:
        raise CacheUnavailable(f"{key[:0]}{known.run[:0]}")


async def test_without_the_cache_every_question_runs() -> None:
    talk = Conversation(engine(), answers=Away())
    await talk.answered(OCTOBER)
    assert (await talk.answered(OCTOBER)).fetched_at is None
    assert runs(talk) == 2
