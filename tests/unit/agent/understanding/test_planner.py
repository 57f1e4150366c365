from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from agent.errors import ModelError, ModelMalformed, ModelOverBudget, ModelRateLimited, ModelTimeout, ModelUnavailable
from agent.understanding.planner import Planner, PlannerMode
from agent.values.budget import BudgetDay, Exceeded, Overrun
from agent.values.identity import Principal, ThreadKey
from agent.values.memory import Question, ThreadMemory
from agent.values.spec import Declined, FreeSql, Option, QuerySpec, Slot, Understanding
from agent.values.usage import used_by
from agent.wording.assumptions import assumption_texts
from semantic_catalog.model import DomainName, MetricName
from tests.unit.agent.understanding.asking import ANALYST, TODAY

QUESTION = Question(text="takings?", locale="en", today=TODAY, memory=ThreadMemory(thread=ThreadKey("console:t")))
SPEC = QuerySpec(domain=DomainName("payments"), metrics=(MetricName("fees"),))
WHOLE = Understanding(
    relation="independent_request", turn_type="new_query", language="en", confidence=1.0, spec=SPEC
)  # fmt: skip
PARTLY = replace(WHOLE, unused_words=("gizmo",), confidence=0.85)
OPTIONS = (Option(label="a", value="a"), Option(label="b", value="b"))
AMBIGUOUS = replace(WHOLE, spec=None, slots=(Slot(name="metric", reason="ambiguous", options=OPTIONS),))
UNKNOWN = replace(WHOLE, spec=None, slots=(Slot(name="metric", reason="unknown", options=OPTIONS, words="takings"),))
BY_MODEL = replace(WHOLE, source="llm", usage=used_by("understanding", 10, 5))


@dataclass
class Reader:
    """An interpreter that answers one thing, or fails."""

    meaning: Understanding | ModelError
    asked: list[Question] = field(default_factory=list)

    async def interpret(self, question: Question, principal: Principal) -> Understanding:  # noqa: ARG002  # the port's argument
        self.asked.append(question)
        if isinstance(self.meaning, ModelError):
            raise self.meaning
        return self.meaning


async def planned(
    rules: Understanding, model: Reader | None, mode: PlannerMode = "auto", question: Question = QUESTION
) -> Understanding:
    return await Planner(Reader(rules), model, mode).interpret(question, ANALYST)


@pytest.mark.parametrize("rules", [WHOLE, AMBIGUOUS], ids=["a whole reading", "a choice only the asker can make"])
async def test_what_rules_cover_needs_no_model(rules: Understanding) -> None:
    model = Reader(BY_MODEL)
    assert await planned(rules, model) == rules
    assert model.asked == []


@pytest.mark.parametrize("rules", [PARTLY, UNKNOWN], ids=["unused words", "an unknown word"])
async def test_where_rules_end_the_model_reads(rules: Understanding) -> None:
    assert await planned(rules, Reader(BY_MODEL)) == BY_MODEL


@pytest.mark.parametrize("rules", [PARTLY, UNKNOWN])
async def test_without_a_model_the_rules_reading_stands(rules: Understanding) -> None:
    assert await planned(rules, None) == rules


async def test_rules_mode_never_asks_a_model() -> None:
    model = Reader(BY_MODEL)
    assert await planned(UNKNOWN, model, "rules") == UNKNOWN
    assert model.asked == []


async def test_llm_mode_asks_it_even_where_rules_cover() -> None:
    assert await planned(WHOLE, Reader(BY_MODEL), "llm") == BY_MODEL


@pytest.mark.parametrize("mode", ["auto", "llm"])
async def test_a_refusal_by_rules_is_final_in_every_mode(mode: PlannerMode) -> None:
    refused = replace(WHOLE, spec=None, declined=Declined(rule="write_request"))
    model = Reader(BY_MODEL)
    assert await planned(refused, model, mode) == refused
    assert model.asked == []


async def test_a_signed_question_stays_signed_in_every_mode() -> None:
    signed = replace(WHOLE, source="trusted")
    assert await planned(signed, Reader(BY_MODEL), "llm") == signed


async def test_what_must_cost_nothing_is_read_by_rules() -> None:
    model = Reader(BY_MODEL)
    assert await planned(UNKNOWN, model, "auto", replace(QUESTION, rules_only=True)) == UNKNOWN
    assert model.asked == []


@pytest.mark.parametrize("kind", [ModelUnavailable, ModelTimeout, ModelRateLimited, ModelMalformed])
async def test_a_failing_model_leaves_the_rules_reading_and_says_so(kind: type[ModelError]) -> None:
    error = kind("understanding: x")
    error.usage = used_by("understanding", 10, 0)
    meaning = await planned(PARTLY, Reader(error))
    assert meaning.spec == SPEC
    assert [each.key for each in meaning.assumptions] == ["model_away"]
    assert meaning.usage.llm_calls == 1


async def test_a_model_that_finds_nothing_leaves_the_rules_question_and_its_cost() -> None:
    nothing = replace(BY_MODEL, spec=None)
    meaning = await planned(UNKNOWN, Reader(nothing))
    assert meaning.slots == UNKNOWN.slots
    assert meaning.usage.llm_calls == 1


async def test_a_model_that_knows_the_metric_may_ask_for_the_rest() -> None:
    asks = replace(BY_MODEL, spec=None, slots=(Slot(name="period", reason="missing", options=OPTIONS),))
    assert await planned(UNKNOWN, Reader(asks)) == asks


async def test_free_sql_is_an_answer_of_the_model() -> None:
    free = replace(BY_MODEL, spec=None, free_sql=FreeSql(title="Median"))
    assert await planned(PARTLY, Reader(free)) == free


async def test_over_budget_the_rules_reading_stands_and_says_why() -> None:
    over = Exceeded(scope="person", meter="tokens", used=Decimal(1_200), limit=Decimal(1_000))
    day = BudgetDay(day=TODAY, resets_at=datetime(2026, 11, 2, 5, tzinfo=UTC), timezone="America/Lima")
    meaning = await planned(PARTLY, Reader(ModelOverBudget("understanding: over", Overrun(exceeded=over, day=day))))
    assert meaning.spec == PARTLY.spec
    [said] = assumption_texts(meaning.assumptions, "en")
    assert said == (
        "Your language model tokens for today are used up (1,200 of 1,000, until Mon 2 Nov, 00:00), "
        "so rules alone read the question."
    )
