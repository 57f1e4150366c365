from datetime import date

import pytest

from agent.analysis.suggest import suggest
from agent.understanding.interpreter import CatalogInterpreter
from agent.understanding.periods import to_period
from agent.understanding.templates import read_period
from agent.values.identity import Principal, PrincipalId, ThreadKey
from agent.values.memory import Question, ThreadMemory
from agent.values.outcome import Suggestion
from agent.values.spec import QuerySpec
from agent.wording.dates import period_title
from semantic_catalog.load import load_catalog
from semantic_catalog.model import LOCALES, Catalog, DimensionName, DomainName, Locale, MetricName
from tests.unit.agent.sql.compile.cases import TODAY, ZONE, Case, cases, compiled, payments_domain, spec_of

OCTOBER = "2026-10-01/2026-10-31"
LAST_WEEK = "2026-10-25/2026-10-31 last_7_days"


def questions(locale: Locale = "en", **fields: object) -> list[str]:
    return [item.question for item in suggest(spec_of(**fields), payments_domain(), locale, TODAY)]


@pytest.mark.parametrize(
    ("locale", "written"),
    [
        (
            "en",
            [
                "Approval rate by card brand, last 7 days",
                "Approval rate by day, last 7 days",
                "Approval rate by channel, last 7 days, against the previous period",
            ],
        ),
        (
            "es",
            [
                "Tasa de aprobación por marca de tarjeta, últimos 7 días",
                "Tasa de aprobación por día, últimos 7 días",
                "Tasa de aprobación por canal, últimos 7 días, contra el período anterior",
            ],
        ),
        (
            "ru",
            [
                "Доля одобренных по платёжным системам, последние 7 дней",
                "Доля одобренных по дням, последние 7 дней",
                "Доля одобренных по каналам, последние 7 дней, в сравнении с предыдущим периодом",
            ],
        ),
    ],
)
def test_suggestions_are_whole_questions_in_the_language_of_the_asker(locale: Locale, written: list[str]) -> None:
    assert questions(locale, metrics=["approval_rate"], dimensions=["channel"], period=LAST_WEEK) == written


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_every_answer_gets_different_labelled_questions(case: Case, locale: Locale) -> None:
    found = suggest(case.spec, payments_domain(), locale, TODAY)
    assert len(found) == (3 if case.spec.metrics else 0)
    assert len({item.question for item in found}) == len({item.label for item in found}) == len(found)
    assert all(item.label[:1].isupper() for item in found)


def test_filters_stay_in_the_question() -> None:
    filters = [{"dimension": "brand", "values": ["Amex"], "include": False}]
    asked = questions(metrics=["fees"], dimensions=["brand"], filters=filters, period=OCTOBER)
    assert asked[0] == "Fees by channel, without American Express, in October 2026"
    assert all("without American Express" in question for question in asked)


def test_a_question_names_every_member_of_its_filter() -> None:
    filters = [{"dimension": "mcc", "values": ["5411", "5812", "5541", "4511"]}]
    asked = questions(metrics=["fees"], filters=filters, period=OCTOBER)
    assert "only Grocery stores, Restaurants, Service stations and Airlines" in asked[0]


def test_a_dimension_of_which_one_member_is_left_is_not_offered() -> None:
    filters = [{"dimension": "channel", "values": ["pos"]}]
    asked = questions(metrics=["fees"], filters=filters, period=OCTOBER)
    assert all("by channel" not in question for question in asked)


def test_nothing_is_offered_that_no_source_answers() -> None:
    asked = questions(metrics=["chargeback_rate"], dimensions=["brand"], period="2026-07-01/2026-09-30")
    assert asked[:2] == [
        "Chargeback rate by channel from July to September 2026",
        "Chargeback rate by month, last 12 months",
    ]


def test_a_day_is_shown_within_the_last_thirty() -> None:
    assert "Fees by day, last 30 days" in questions(metrics=["fees"], period="2026-10-31/2026-10-31")


def test_without_a_metric_or_a_period_there_is_nothing_to_follow() -> None:
    assert questions(metrics=["fees"]) == []


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize(
    "words",
    [
        "last_7_days",
        "last_3_weeks",
        "last_12_months",
        "last_week",
        "last_month",
        "last_quarter",
        "last_year",
        "yesterday",
        "month_to_date",
        "year_to_date",
        "all_history",
    ],
)
def test_the_words_of_a_period_are_read_back_as_that_period(words: str, locale: Locale) -> None:
    in_english = read_period(words.replace("_", " "), "en", TODAY)
    assert in_english is not None
    said = period_title(to_period(in_english, ZONE), locale)
    assert read_period(said, locale, TODAY) == in_english


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize(
    "text",
    [
        "2026-10-25/2026-10-31",
        "2026-09-25/2026-10-03",
        "2025-12-25/2026-01-03",
        OCTOBER,
        "2026-01-01/2026-09-30",
        "2025-11-01/2026-10-31",
        "2025-01-01/2025-12-31",
        "2026-10-31/2026-10-31",
    ],
)
def test_the_dates_of_a_question_are_read_back_as_the_same_days(text: str, locale: Locale) -> None:
    start, end = map(date.fromisoformat, text.split("/"))
    spec = spec_of(metrics=["fees"], dimensions=["brand"], period=text)
    asked: tuple[Suggestion, ...] = suggest(spec, payments_domain(), locale, TODAY)
    read = read_period(asked[0].question, locale, TODAY)
    assert read is not None
    assert (read.start, read.end) == (start, end)


class _Packaged:
    def __init__(self) -> None:
        self._catalog = load_catalog()

    def current(self) -> Catalog:
        return self._catalog


class _Members:
    def __init__(self, known: dict[tuple[DomainName, DimensionName], tuple[str, ...]]) -> None:
        self._known = known

    async def of(
        self,
        domain: DomainName,
        dimension: DimensionName,
        principal: Principal | None = None,  # noqa: ARG002
    ) -> tuple[str, ...]:
        return self._known.get((domain, dimension), ())


@pytest.fixture(scope="module")
def interpreter() -> CatalogInterpreter:
    return CatalogInterpreter(_Packaged(), _Members({}))


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
async def test_a_suggestion_runs_as_it_stands(case: Case, locale: Locale, interpreter: CatalogInterpreter) -> None:
    asker = Principal(id=PrincipalId("ana"), roles=(), domains=(DomainName("payments"),))
    nothing_before = ThreadMemory(thread=ThreadKey("console:test"))
    for suggestion in suggest(case.spec, payments_domain(), locale, TODAY):
        question = Question(text=suggestion.question, locale=locale, today=TODAY, memory=nothing_before)
        understood = await interpreter.interpret(question, asker)
        assert understood.spec is not None, suggestion.question
        assert (understood.slots, understood.unused_words, understood.language) == ((), (), locale)
        assert set(understood.spec.filters) == set(case.spec.filters)
        assert compiled(understood.spec).columns


def test_no_suggestion_adds_income_to_cost() -> None:
    domain = load_catalog().domain(DomainName("erp_finance"))
    span = read_period("last month", "en", TODAY)
    assert span is not None
    period = to_period(span, domain.timezone)
    asked = QuerySpec(
        domain=domain.name,
        metrics=(MetricName("actual_amount"),),
        dimensions=(DimensionName("statement_line"),),
        period=period,
    )
    offered = [each.question for each in suggest(asked, domain, "en", TODAY)]
    assert offered
    assert all("line" in question or "account" in question for question in offered if "Actual amount" in question)
