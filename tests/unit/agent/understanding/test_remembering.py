from dataclasses import replace
from datetime import UTC, datetime

import pytest

from agent.understanding.planner import Planner
from agent.understanding.remembering import Remembering
from agent.values.identity import Principal, PrincipalId, ThreadKey
from agent.values.memory import Question, ThreadMemory
from agent.values.personal import Meaning, PersonalMemory, TaughtSlot
from agent.values.spec import Understanding
from semantic_catalog.load import load_catalog
from semantic_catalog.model import Locale
from tests.fakes.catalog import FixedCatalog
from tests.unit.agent.understanding.asking import ANALYST, TODAY, everything, interpreter, payments_only

NOON = datetime(2026, 10, 1, 12, tzinfo=UTC)


def known(slot: TaughtSlot, value: str, words: str = "", domain: str = "payments") -> PersonalMemory:
    meaning = Meaning(slot=slot, value=value, words=words, domain=domain if words else "")
    return PersonalMemory(
        id=f"{slot}:{words}", person=PrincipalId("ana"), meaning=meaning, source="said", learnt_at=NOON, used_at=NOON
    )


async def ask(
    text: str,
    *memories: PersonalMemory,
    principal: Principal = ANALYST,
    assume: bool = False,
    locale: Locale | None = None,
) -> Understanding:
    question = Question(
        text=text,
        locale=locale,
        today=TODAY,
        memory=ThreadMemory(thread=ThreadKey("console:t")),
        personal=memories,
        assume_defaults=assume,
    )
    return await Remembering(interpreter(), FixedCatalog(payments_only())).interpret(question, principal)


def keys(meaning: Understanding) -> list[str]:
    return [item.key for item in meaning.assumptions]


SALES = known("metric", "fees", "takings")


@pytest.mark.parametrize(
    "text",
    [
        "takings by channel last month",
        "Takings, by channel, last month",
        "What were the takings by channel last month?",
    ],
)
async def test_a_persons_own_word_is_read_as_what_they_said(text: str) -> None:
    meaning = await ask(text, SALES)
    assert meaning.spec is not None
    assert meaning.spec.metrics == ("fees",)
    assert meaning.unused_words == ()
    [said] = [item for item in meaning.assumptions if item.key == "remembered"]
    assert dict(said.params)["words"] == "takings"
    assert meaning.remembered == (SALES.id,)


async def test_a_persons_word_wins_over_the_catalogs_synonym() -> None:
    plain = await ask("sales by channel last month")
    assert plain.spec is not None
    mine = await ask("sales by channel last month", known("metric", "transactions", "sales"))
    assert mine.spec is not None
    assert plain.spec.metrics != mine.spec.metrics == ("transactions",)
    assert "remembered" in keys(mine)


async def test_in_another_language_the_label_of_that_language_takes_its_place() -> None:
    meaning = await ask("plata por canal el mes pasado", known("metric", "fees", "plata"))
    assert meaning.spec is not None
    assert (meaning.spec.metrics, meaning.language) == (("fees",), "es")


async def test_a_choice_made_once_is_not_asked_again() -> None:
    asked = await ask("rate by channel last month")
    assert asked.slots[0].name == "metric"
    meaning = await ask("rate by channel last month", known("metric", "decline_rate", "rate"))
    assert meaning.spec is not None
    assert meaning.spec.metrics == ("decline_rate",)
    assert "remembered" in keys(meaning)


async def test_a_question_that_is_left_open_otherwise_is_still_asked() -> None:
    meaning = await ask("rate by channel", known("metric", "decline_rate", "rate"))
    assert [slot.name for slot in meaning.slots][:1] == ["period"]
    assert "remembered" in keys(meaning)


async def test_the_usual_period_is_taken_only_where_none_is_named() -> None:
    usual = known("period", "last month")
    meaning = await ask("approval rate by channel", usual)
    assert meaning.spec is not None
    assert meaning.spec.period is not None
    assert meaning.spec.period.start.isoformat() == "2026-10-01"  # type: ignore[union-attr]  # a month has a first day
    assert "remembered_period" in keys(meaning)
    named = await ask("approval rate by channel last week", usual)
    assert "remembered_period" not in keys(named)


async def test_the_usual_number_of_rows_takes_the_place_of_ours() -> None:
    meaning = await ask("top merchants by fees last month", known("limit", "25"))
    assert meaning.spec is not None
    assert meaning.spec.limit == 25
    assert keys(meaning).count("limit_default") == 0
    named = await ask("top 5 merchants by fees last month", known("limit", "25"))
    assert named.spec is not None
    assert named.spec.limit == 5


async def test_the_preferred_chart_is_drawn_unless_another_is_named() -> None:
    meaning = await ask("fees by channel last month", known("chart", "pie"))
    assert meaning.spec is not None
    assert meaning.spec.chart == "pie"
    assert "remembered_chart" in keys(meaning)
    single = await ask("fees last month", known("chart", "pie"))
    assert single.spec is not None
    assert single.spec.chart is None


async def test_the_usual_language_answers_where_the_message_does_not_tell() -> None:
    assert (await ask("Visa", known("locale", "es"), locale="en")).language == "es"
    assert (await ask("fees by channel last month", known("locale", "es"), locale="en")).language == "en"


async def test_what_the_catalog_no_longer_has_is_left_alone() -> None:
    gone = known("metric", "abolished", "takings")
    assert await ask("takings by channel last month", gone) == await ask("takings by channel last month")


async def test_what_the_person_may_no_longer_see_is_left_alone() -> None:
    nobody = replace(ANALYST, domains=())
    question = Question(
        text="takings by channel last month", locale="en", today=TODAY,
        memory=ThreadMemory(thread=ThreadKey("console:t")), personal=(SALES,),
    )  # fmt: skip
    reader = Remembering(everything(), FixedCatalog(load_catalog()))
    assert (await reader.interpret(question, nobody)).remembered == ()


async def test_a_word_inside_another_word_is_not_the_persons_word() -> None:
    meaning = await ask("fees by channel last month", known("metric", "transactions", "fee"))
    assert meaning.spec is not None
    assert meaning.spec.metrics == ("fees",)


async def test_greetings_and_definitions_are_read_as_they_are() -> None:
    memory = known("metric", "transactions", "fees")
    assert (await ask("hello", memory)).topic == (await ask("hello")).topic
    assert (await ask("what does fees mean?", memory)).subject == "fees"


class Forbidden:
    """A model that must not be asked."""

    async def interpret(self, question: Question, principal: Principal) -> Understanding:
        raise AssertionError(f"asked about {question.text!r} of {principal.id}")


async def test_no_model_is_asked_about_a_word_that_is_known() -> None:
    planner = Planner(interpreter(), Forbidden(), "auto")
    question = Question(
        text="takings by channel last month", locale="en", today=TODAY,
        memory=ThreadMemory(thread=ThreadKey("console:t")), personal=(SALES,),
    )  # fmt: skip
    meaning = await Remembering(planner, FixedCatalog(payments_only())).interpret(question, ANALYST)
    assert meaning.spec is not None
    assert meaning.source == "rules"
