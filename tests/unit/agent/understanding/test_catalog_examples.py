from dataclasses import replace

import pytest

from agent.understanding.templates import resolve_template
from agent.values.spec import QuerySpec
from semantic_catalog.model import Example, Locale, TrustedQuery
from tests.unit.agent.understanding.asking import TODAY, ask, payments


def _question(spec: QuerySpec | None) -> QuerySpec:
    assert spec is not None
    assert spec.period is not None
    return replace(spec, period=replace(spec.period, words="range"), trusted_query=None)


@pytest.mark.parametrize("example", payments().examples, ids=lambda example: example.question)
async def test_an_example_of_the_catalog_is_understood_as_it_is_written(example: Example) -> None:
    meaning = await ask(example.question)
    assert _question(meaning.spec) == _question(resolve_template(example.spec, payments(), TODAY))
    assert (meaning.language, meaning.unused_words) == (example.locale, ())


@pytest.mark.parametrize("query", payments().trusted_queries, ids=lambda query: query.name)
@pytest.mark.parametrize("locale", ["en", "es", "ru"])
async def test_a_trusted_query_is_known_by_its_own_words(query: TrustedQuery, locale: Locale) -> None:
    for question in query.questions[locale]:
        meaning = await ask(question.upper() + "!")
        assert meaning.spec is not None
        assert (meaning.spec.trusted_query, meaning.source) == (query.name, "trusted")


async def test_a_question_equal_to_a_trusted_query_is_trusted_whatever_its_words() -> None:
    meaning = await ask("by channel: approval rate, 25 to 31 October 2026")
    assert meaning.spec is not None
    assert meaning.spec.trusted_query == "approval_rate_by_channel_last_7_days"


async def test_a_question_that_differs_in_one_part_is_not_trusted() -> None:
    meaning = await ask("approval rate by channel last 8 days")
    assert meaning.spec is not None
    assert (meaning.spec.trusted_query, meaning.source) == (None, "rules")
