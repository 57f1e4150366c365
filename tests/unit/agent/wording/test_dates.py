from datetime import UTC, date, datetime

import pytest

from agent.values.spec import Period
from agent.wording.dates import (
    bucket,
    day,
    instant,
    moment,
    month,
    period_label,
    period_phrase,
    period_title,
    period_with_words,
    zone_name,
)
from semantic_catalog.model import LOCALES, Locale, TimeGrain


def period(text: str, words: str = "range") -> Period:
    start, end = text.split("/")
    first = date.fromisoformat(start) if start else None
    return Period(start=first, end=date.fromisoformat(end), timezone="America/Lima", words=words)


@pytest.mark.parametrize(
    ("text", "en", "es", "ru"),
    [
        ("2026-10-25/2026-10-31", "25–31 Oct 2026", "25–31 oct 2026", "25–31 окт. 2026"),
        ("2026-10-31/2026-10-31", "31 Oct 2026", "31 oct 2026", "31 окт. 2026"),
        ("2026-09-25/2026-10-03", "25 Sept – 3 Oct 2026", "25 sept – 3 oct 2026", "25 сент. – 3 окт. 2026"),
        ("2025-12-25/2026-01-03", "25 Dec 2025 – 3 Jan 2026", "25 dic 2025 – 3 ene 2026", "25 дек. 2025 – 3 янв. 2026"),
        ("2026-10-01/2026-10-31", "Oct 2026", "oct 2026", "окт. 2026"),
        ("2026-01-01/2026-10-31", "Jan–Oct 2026", "ene–oct 2026", "янв.–окт. 2026"),
        ("2025-11-01/2026-10-31", "Nov 2025 – Oct 2026", "nov 2025 – oct 2026", "нояб. 2025 – окт. 2026"),
        ("2025-01-01/2025-12-31", "2025", "2025", "2025"),
        ("2024-01-01/2025-12-31", "2024–2025", "2024–2025", "2024–2025"),
        ("2028-02-01/2028-02-29", "Feb 2028", "feb 2028", "февр. 2028"),
        ("2027-02-01/2027-02-27", "1–27 Feb 2027", "1–27 feb 2027", "1–27 февр. 2027"),
        ("/2026-10-31", "up to 31 Oct 2026", "hasta el 31 oct 2026", "по 31 окт. 2026"),
    ],
)
def test_a_period_is_labelled_by_its_exact_dates(text: str, en: str, es: str, ru: str) -> None:
    assert [period_label(period(text), locale) for locale in LOCALES] == [en, es, ru]


@pytest.mark.parametrize(
    ("text", "en", "es", "ru"),
    [
        ("2026-10-25/2026-10-31", "over 25–31 Oct 2026", "del 25 al 31 de octubre de 2026", "за 25–31 октября 2026"),
        ("2026-10-31/2026-10-31", "on 31 Oct 2026", "el 31 de octubre de 2026", "за 31 октября 2026"),
        ("2026-10-01/2026-10-31", "in October 2026", "en octubre de 2026", "за октябрь 2026"),
        (
            "2026-01-01/2026-10-31",
            "from January to October 2026",
            "entre enero y octubre de 2026",
            "за январь–октябрь 2026",
        ),
        ("2025-01-01/2025-12-31", "in 2025", "en 2025", "за 2025 год"),
    ],
)
def test_a_period_takes_its_place_in_a_sentence(text: str, en: str, es: str, ru: str) -> None:
    assert [period_phrase(period(text), locale) for locale in LOCALES] == [en, es, ru]


def test_every_span_has_a_phrase_with_its_years() -> None:
    spans = ["2026-09-25/2026-10-03", "2025-12-25/2026-01-03", "2025-11-01/2026-10-31", "2024-01-01/2025-12-31"]
    for text in spans:
        for locale in LOCALES:
            phrase = period_phrase(period(text), locale)
            assert str(period(text).end.year) in phrase
            assert phrase.split()[0] in ("over", "from", "del", "de", "entre", "за")


@pytest.mark.parametrize(
    ("locale", "written"),
    [
        ("en", "last 7 days (25–31 Oct 2026, Lima time)"),
        ("es", "últimos 7 días (25–31 oct 2026, hora de Lima)"),
        ("ru", "последние 7 дней (25–31 окт. 2026, часовой пояс: Лима)"),
    ],
)
def test_words_come_with_dates_and_zone(locale: Locale, written: str) -> None:
    assert period_with_words(period("2026-10-25/2026-10-31", "last_7_days"), locale) == written


def test_a_period_given_by_dates_has_only_those() -> None:
    assert period_with_words(period("2026-10-25/2026-10-31"), "en") == "25–31 Oct 2026, Lima time"
    assert period_title(period("2026-10-25/2026-10-31"), "en") == "25–31 Oct 2026"


@pytest.mark.parametrize(
    ("words", "en", "ru"),
    [
        ("last_12_months", "last 12 months", "последние 12 месяцев"),
        ("last_2_weeks", "last 2 weeks", "последние 2 недели"),
        ("last_21_days", "last 21 days", "последний 21 день"),
        ("last_month", "last month", "прошлый месяц"),
        ("year_to_date", "year to date", "с начала года"),
        ("yesterday", "yesterday", "вчера"),
        ("all_history", "all history", "за всю историю"),
    ],
)
def test_a_period_is_called_as_it_was_asked_for(words: str, en: str, ru: str) -> None:
    asked = period("2026-01-01/2026-10-31", words)
    assert [period_title(asked, "en"), period_title(asked, "ru")] == [en, ru]


@pytest.mark.parametrize(
    ("grain", "written"),
    [
        ("day", ["19 Oct 2026", "19 oct 2026", "19 окт. 2026"]),
        ("week", ["19–25 Oct 2026", "19–25 oct 2026", "19–25 окт. 2026"]),
        ("month", ["Oct 2026", "oct 2026", "окт. 2026"]),
        ("quarter", ["Q4 2026", "T4 2026", "4-й кв. 2026"]),
        ("year", ["2026", "2026", "2026"]),
    ],
)
def test_a_bucket_is_named_by_its_grain(grain: TimeGrain, written: list[str]) -> None:
    assert [bucket(date(2026, 10, 19), grain, locale) for locale in LOCALES] == written


def test_text_months_are_months_and_other_text_stays() -> None:
    assert bucket("2026-10", "month", "en") == "Oct 2026"
    assert bucket("unknown", "month", "en") == "unknown"


def test_days_months_and_instants() -> None:
    noon = datetime(2026, 12, 1, 15, tzinfo=UTC)
    assert day(date(2026, 10, 31), "es") == "31 oct 2026"
    assert month(date(2026, 10, 31), "en") == "Oct 2026"
    assert moment(noon, "en") == "1 Dec 2026, 15:00"
    assert [instant(noon, "America/Lima", locale) for locale in LOCALES] == [
        "Tue 1 Dec, 10:00",
        "mar 1 dic, 10:00",
        "вт 1 дек., 10:00",
    ]


def test_an_instant_may_fall_on_another_day_in_the_zone() -> None:
    assert instant(datetime(2026, 12, 1, 3, tzinfo=UTC), "America/Lima", "en") == "Mon 30 Nov, 22:00"


def test_a_zone_is_called_by_its_city() -> None:
    assert [zone_name("Europe/Moscow", locale) for locale in LOCALES] == [
        "Moscow time",
        "hora de Moscú",
        "часовой пояс: Москва",
    ]
    assert zone_name("UTC", "ru") == "UTC"
