from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from agent.analysis.reading import Reading, read_result
from agent.forecasting.table import forecast_chart, forecast_table
from agent.forecasting.words import tell_forecast, tell_why_not
from agent.values.forecast import Backtest, Forecast, Step, Unforecastable
from cards.chart import draw_chart
from semantic_catalog.model import LOCALES, Locale
from tests.unit.agent.analysis.results import YEAR, metric, payments, spec, table, time
from tests.unit.agent.forecasting.series import seasonal

STEPS = tuple(
    Step(
        start=start,
        value=Decimal("2500000"),
        low_80=Decimal("2300000"),
        high_80=Decimal("2700000"),
        low_95=Decimal("2100000"),
        high_95=Decimal("2900000"),
    )
    for start in (date(2026, 11, 1), date(2026, 12, 1))
)
FOUND = Forecast(
    grain="month",
    steps=STEPS,
    model="ets",
    backtest=Backtest(error=0.061, naive_error=0.15, naive="seasonal_naive", origins=6, points=12),
    first=date(2025, 11, 1),
    last=date(2026, 10, 1),
    observed=11,
    filled=1,
)
MONTHS = [date(2025, 11, 1), date(2025, 12, 1), *(date(2026, month, 1) for month in range(1, 11))]


def reading_in(locale: Locale, name: str = "processed_amount", as_text: bool = False) -> Reading:
    months = [f"{start:%Y-%m}" if as_text else start for start in MONTHS]
    rows = table((time("month"), metric(name, locale)), *zip(months, seasonal(12), strict=True))
    return read_result(rows, spec(name, grain="month", period=YEAR), payments(), locale)


def words_in(locale: Locale, found: Forecast = FOUND) -> str:
    reading = reading_in(locale)
    told = tell_forecast(found, reading.layout.metrics[0].column, reading)
    return "\n".join((f"{told.lead} {told.rest}", *told.highlights)).replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("locale", "words"),
    [
        ("en", "Forecast of Processed amount for Dec 2026: S/ 2.5 M (80 of 100 times between S/ 2.3 M and S/ 2.7 M,"
         " 95 of 100 between S/ 2.1 M and S/ 2.9 M). All 2 months together: S/ 5.0 M.\n"
         "Tried on its own past (6 times), it missed by 6.1 %;"
         " repeating the same month of the year before missed by 15.0 %.\n"
         "Made from 11 months (Nov 2025 to Oct 2026) by exponential smoothing.\n"
         "1 missing value was filled in from its neighbours."),
        ("es", "Pronóstico de Monto procesado para dic 2026: S/ 2,5 M (80 de cada 100 veces entre S/ 2,3 M y S/ 2,7 M;"
         " 95 de cada 100, entre S/ 2,1 M y S/ 2,9 M). Los 2 meses juntos: S/ 5,0 M.\n"
         "Probado con su propio pasado (6 veces), falló en 6,1 %;"
         " repetir el mismo mes del año anterior falló en 15,0 %.\n"
         "Hecho con 11 meses (de nov 2025 a oct 2026); método: suavizado exponencial.\n"
         "1 valor que faltaba se completó con sus vecinos."),
        ("ru", "Оборот, прогноз на дек. 2026: S/ 2,5 млн (в 80 случаях из 100 — от S/ 2,3 млн до S/ 2,7 млн,"
         " в 95 из 100 — от S/ 2,1 млн до S/ 2,9 млн). Вместе за все месяцы (2): S/ 5,0 млн.\n"
         "Ошибка на собственном прошлом (проверок: 6): 6,1 %;"
         " если повторить тот же месяц прошлого года — 15,0 %.\n"
         "Построено по 11 месяцам (нояб. 2025 — окт. 2026), способ: экспоненциальное сглаживание.\n"
         "1 пропуск заполнен по соседним значениям."),
    ],
)  # fmt: skip
def test_a_forecast_says_how_sure_it_is_and_how_it_did_before(locale: Locale, words: str) -> None:
    assert words_in(locale) == words


def test_a_plain_forecast_that_nothing_beats_says_so() -> None:
    plain = replace(FOUND, model="seasonal_naive")
    assert "Nothing beats repeating the same month of the year before: tried on the past (6 times)" in words_in(
        "en", plain
    )


def test_a_rate_is_not_summed() -> None:
    reading = reading_in("en", "approval_rate")
    rate = replace(FOUND, steps=tuple(replace(step, value=Decimal("0.9")) for step in STEPS))
    assert "together" not in tell_forecast(rate, reading.layout.metrics[0].column, reading).rest


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize(
    "reason",
    [
        Unforecastable(reason="too_short", params=(("count", "5"), ("least", "12"))),
        Unforecastable(reason="too_many_gaps", params=(("gaps", "8"), ("total", "30"))),
        Unforecastable(reason="too_irregular", params=(("error", "0.7312"),)),
        Unforecastable(reason="no_course"),
    ],
    ids=lambda reason: reason.reason,
)
def test_a_refusal_is_said_in_words_with_its_numbers(reason: Unforecastable, locale: Locale) -> None:
    text = tell_why_not(reason, "month", locale)
    assert "{" not in text
    shown = [value for key, value in reason.params if key != "error"]
    assert all(value in text for value in shown)
    assert ("73" in text) == (reason.reason == "too_irregular")


@pytest.mark.parametrize("as_text", [True, False])
def test_the_rows_ahead_follow_the_history_and_write_their_buckets_alike(as_text: bool) -> None:
    reading = reading_in("en", as_text=as_text)
    found = reading.layout.metrics[0]
    rows = forecast_table(reading, found, reading.whole_moments(found), FOUND)
    assert len(rows.rows) == 14
    assert rows.rows[11][0] == ("2026-10" if as_text else date(2026, 10, 1))
    assert rows.rows[12][0] == ("2026-11" if as_text else date(2026, 11, 1))
    assert rows.rows[11][2:] == (None,) * 5
    assert rows.rows[12][1:] == (None, *(getattr(STEPS[0], name) for name in
                                 ("value", "low_80", "high_80", "low_95", "high_95")))  # fmt: skip
    assert [column.name for column in rows.columns][2:] == [
        f"processed_amount_{name}" for name in ("forecast", "low_80", "high_80", "low_95", "high_95")
    ]


def test_the_chart_of_a_forecast_has_both_bands_and_is_drawn() -> None:
    reading = reading_in("ru")
    found = reading.layout.metrics[0]
    rows = forecast_table(reading, found, reading.whole_moments(found), FOUND)
    chart = forecast_chart(rows, "T", "S", "U")
    assert [level for _, _, level in chart.intervals] == ["95", "80"]
    assert draw_chart(chart, rows, "ru").startswith(b"\x89PNG")
