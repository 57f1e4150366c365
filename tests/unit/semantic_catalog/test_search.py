from pathlib import Path

import pytest

from semantic_catalog.load import load_catalog
from semantic_catalog.model import Catalog, Locale
from semantic_catalog.search import search_catalog


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


@pytest.mark.parametrize(
    ("words", "locale", "kind", "name"),
    [
        ("approval rate", "en", "metric", "approval_rate"),
        ("aproval rte", "en", "metric", "approval_rate"),
        ("TPV", "en", "metric", "processed_amount"),
        ("FACTURACIÓN", "es", "metric", "processed_amount"),
        ("facturacion", "es", "metric", "processed_amount"),
        ("оборот", "ru", "metric", "processed_amount"),
        ("объем платежей", "ru", "metric", "processed_amount"),
        ("card network", "en", "dimension", "brand"),
        ("cajeros", "es", "member", "atm"),
        ("рестораны", "ru", "member", "5812"),
        ("13.1", "en", "member", "13.1"),
        ("daily payment metrics", "en", "entity", "v_daily_payment_metrics"),
        ("v_decline_analysis", "ru", "entity", "v_decline_analysis"),
        ("fees by segment last month", "en", "example", "Fees by segment last month"),
    ],
)
def test_words_find_what_they_name(catalog: Catalog, words: str, locale: Locale, kind: str, name: str) -> None:
    best = search_catalog(catalog, words, locale)[0]
    assert (best.kind, best.name) == (kind, name)


def test_whole_question_finds_every_part_and_the_example(catalog: Catalog) -> None:
    hits = search_catalog(catalog, "Fees by segment last month", "en", limit=50)
    found = {(hit.kind, hit.name) for hit in hits}
    assert {("metric", "fees"), ("dimension", "segment"), ("example", "Fees by segment last month")} <= found


def test_member_says_its_dimension(catalog: Catalog) -> None:
    hit = search_catalog(catalog, "insufficient funds", "en")[0]
    assert (hit.dimension, hit.label, hit.score) == ("response_code", "Insufficient funds", 100.0)


def test_equal_words_come_before_near_ones_and_limit_cuts(catalog: Catalog) -> None:
    hits = search_catalog(catalog, "chargeback rate", "en", limit=3)
    assert hits[0].name == "chargeback_rate"
    assert len(hits) == 3
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


@pytest.mark.parametrize("words", ["", "  ?! ", "xyzzy"])
def test_nothing_near_finds_nothing(catalog: Catalog, words: str) -> None:
    assert search_catalog(catalog, words, "en") == ()


def test_words_of_another_language_are_not_taken(catalog: Catalog) -> None:
    assert search_catalog(catalog, "оборот", "en") == ()


def test_order_does_not_depend_on_the_order_in_the_files(catalog: Catalog) -> None:
    backwards = Catalog(version=catalog.version, domains=tuple(reversed(catalog.domains)))
    assert search_catalog(backwards, "rate by channel", "en") == search_catalog(catalog, "rate by channel", "en")


def test_each_thing_is_found_once() -> None:
    shop = load_catalog(Path(__file__).parents[2] / "cases" / "catalog" / "valid")
    hits = search_catalog(shop, "revenue sales", "en", limit=50)
    assert len({(hit.kind, hit.dimension, hit.name) for hit in hits}) == len(hits)
