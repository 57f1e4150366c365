from dataclasses import replace

import pytest

from agent.understanding.absent import said_absent
from agent.understanding.earlier import before_the_last
from agent.values.identity import ThreadKey
from agent.values.memory import ThreadMemory
from agent.values.spec import Assumption, QuerySpec, Understanding
from semantic_catalog.model import DomainName, Locale
from tests.unit.agent.understanding.asking import ask, ask_in_turn, everything, remembered
from tests.unit.agent.understanding.test_follow_ups import EVERYBODY

QUESTIONS = {
    "en": "processed amount by channel in October",
    "es": "monto procesado por canal en octubre",
    "ru": "оборот по каналам за октябрь",
}


async def said(*texts: str) -> Understanding:
    return (await ask_in_turn(list(texts)))[-1]


async def spec_of(*texts: str) -> QuerySpec:
    meaning = await said(*texts)
    assert meaning.spec is not None, (meaning.slots, meaning.topic)
    return meaning.spec


@pytest.mark.parametrize(
    ("language", "text", "missing"),
    [
        ("en", "remove the fees", "Fees"),
        ("en", "without the region", "Region"),
        ("es", "quita las comisiones", "Comisiones"),
        ("es", "quita la región", "Región"),
        ("ru", "убери комиссии", "Комиссии"),
        ("ru", "убери регион", "Регион"),
    ],
)
async def test_what_is_not_there_cannot_be_taken_out_and_that_is_said(language: str, text: str, missing: str) -> None:
    meaning = await said(QUESTIONS[language], text)
    assert (meaning.relation, meaning.topic, meaning.unused_words) == ("session_reference", "absent", (missing,))


@pytest.mark.parametrize(
    ("language", "text"), [("en", "by channel too"), ("es", "por canal también"), ("ru", "по каналам тоже")]
)
async def test_a_change_that_changes_nothing_is_said_instead_of_asked_again(language: str, text: str) -> None:
    meaning = await said(QUESTIONS[language], text)
    assert (meaning.spec, meaning.topic) == (None, "unchanged")


@pytest.mark.parametrize(("text", "language"), [("undo", "en"), ("deshaz", "es"), ("отмени", "ru")])
async def test_undoing_again_goes_further_back_and_ends_at_the_first_question(text: str, language: str) -> None:
    first = QUESTIONS[language]
    turns = [first, "top 3", "only Visa"]
    assert (await spec_of(*turns, text)).filters == ()
    assert (await spec_of(*turns, text, text)) == (await spec_of(first))
    assert (await said(*turns, text, text, text)).topic == "nothing_to_undo"


async def test_another_chart_of_the_same_rows_is_not_what_is_undone() -> None:
    first, second = await spec_of(QUESTIONS["en"]), await spec_of(QUESTIONS["en"], "only Visa")
    specs = (first, second, replace(second, chart="pie"))
    runs = tuple(remembered(f"q{place}", spec) for place, spec in enumerate(specs))
    memory = ThreadMemory(thread=ThreadKey("console:t"), runs=runs)
    assert before_the_last(memory, DomainName("payments")) == first


@pytest.mark.parametrize(
    ("first", "then", "metrics"),
    [
        ("fees and transactions by channel in October", "without the transactions", ("fees",)),
        ("comisiones y transacciones por canal en octubre", "sin las transacciones", ("fees",)),
        ("комиссии и транзакции по каналам за октябрь", "без транзакций", ("fees",)),
    ],
)
async def test_a_metric_is_left_out_with_without(first: str, then: str, metrics: tuple[str, ...]) -> None:
    assert (await spec_of(first, then)).metrics == metrics


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "by region instead"),
        ("en", "instead of that, by region"),
        ("es", "en vez de eso por región"),
        ("es", "mejor por región"),
        ("ru", "вместо этого по регионам"),
        ("ru", "лучше по регионам"),
    ],
)
async def test_what_stands_after_instead_comes(language: str, text: str) -> None:
    assert (await spec_of(QUESTIONS[language], text)).dimensions == ("region",)


async def test_better_is_a_wish_and_no_ranking() -> None:
    spec = await spec_of(QUESTIONS["es"], "mejor el tercer trimestre")
    assert spec.order == ()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("how many rows?", "count"),
        ("¿cuántas filas son?", "count"),
        ("сколько строк?", "count"),
        ("and the smallest?", "extreme"),
        ("¿y el menor?", "extreme"),
        ("and the total?", "total"),
        ("¿cuánto más es ecommerce que pos?", "difference"),
    ],
)
async def test_rows_on_screen_answer(text: str, kind: str) -> None:
    meaning = await said(QUESTIONS["en"], text)
    assert meaning.shown is not None, meaning
    assert meaning.shown.kind == kind


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("what did that query cost?", "cost"),
        ("who approved that?", "signature"),
        ("¿quién aprobó eso?", "signature"),
        ("кто это утвердил?", "signature"),
    ],
)
async def test_questions_about_the_last_run_are_no_questions_for_data(text: str, topic: str) -> None:
    before = await ask(QUESTIONS["en"], principal=EVERYBODY, reader=everything())
    assert before.spec is not None
    memory = ThreadMemory(thread=ThreadKey("console:t"), runs=(remembered("q", before.spec),))
    meaning = await ask(text, memory=memory, principal=EVERYBODY, reader=everything())
    assert (meaning.relation, meaning.topic) == ("session_reference", topic)


@pytest.mark.parametrize(
    ("language", "text", "missing"),
    [
        ("en", "only Visa and without the fees", "Fees"),
        ("en", "only Visa, remove the region", "Region"),
        ("en", "only Visa and without the limit", "limit"),
        ("es", "solo Visa y sin límite", "límite"),
        ("ru", "только Visa и без лимита", "лимит"),
        ("en", "only Visa and without the comparison", "comparison"),
        ("en", "only Visa and without the months", "time step"),
        ("es", "solo Visa y sin los meses", "división por tiempo"),
        ("ru", "только Visa и без месяцев", "разбивка по времени"),
        ("es", "solo Visa y sin las comisiones", "Comisiones"),
        ("es", "solo Visa, quita la región", "Región"),
        ("ru", "только Visa и без комиссий", "Комиссии"),
        ("ru", "только Visa, убери регион", "Регион"),
    ],
)
async def test_a_change_is_made_and_what_was_not_there_to_be_taken_out_is_said(
    language: Locale, text: str, missing: str
) -> None:
    meaning = await said(QUESTIONS[language], text)
    assert meaning.spec is not None
    assert [item.values for item in meaning.spec.filters] == [("Visa",)]
    assert (meaning.spec.metrics, meaning.unused_words) == (("processed_amount",), ())
    assert Assumption(key="absent", params=(("names", missing),)) in meaning.assumptions
    [line] = said_absent(meaning, language)
    assert missing in line


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "only Visa and without the channel"),
        ("es", "solo Visa y sin el canal"),
        ("ru", "только Visa и без канала"),
    ],
)
async def test_nothing_is_said_absent_where_it_was_there(language: Locale, text: str) -> None:
    meaning = await said(QUESTIONS[language], text)
    assert (meaning.spec.dimensions if meaning.spec else None, said_absent(meaning, language)) == ((), ())


@pytest.mark.parametrize(
    ("text", "filters", "absent"),
    [
        ("only Visa, remove the Amex filter", {"brand": ("Visa",)}, True),
        ("remove the Amex filter, only ecommerce", {"brand": ("Diners",), "channel": ("ecommerce",)}, True),
        ("remove the Diners filter and only ecommerce", {"channel": ("ecommerce",)}, False),
        ("solo ecommerce y quita el filtro de Diners", {"channel": ("ecommerce",)}, False),
        ("только ecommerce и убери фильтр по Diners", {"channel": ("ecommerce",)}, False),
        ("remove the Diners filter and only Visa and Mastercard", {"brand": ("Visa", "Mastercard")}, False),
        ("remove the region filter and only Visa", {"brand": ("Visa",)}, True),
    ],
)
async def test_a_filter_goes_and_another_comes_in_one_message(
    text: str, filters: dict[str, tuple[str, ...]], absent: bool
) -> None:
    meaning = await said("processed amount by region in October excluding Diners", text)
    assert meaning.spec is not None
    assert {item.dimension: item.values for item in meaning.spec.filters} == filters
    assert bool(said_absent(meaning, "en")) is absent
