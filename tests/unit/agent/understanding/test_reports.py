import pytest

from agent.values.spec import ReportKind
from tests.unit.agent.understanding.asking import ask, ask_in_turn

QUESTIONS = {
    "en": "processed amount by channel last month",
    "es": "monto procesado por canal el mes pasado",
    "ru": "оборот по каналам за прошлый месяц",
}


@pytest.mark.parametrize(
    ("language", "text", "kind"),
    [
        ("en", "just the number", "short"),
        ("en", "only the chart", "chart"),
        ("en", "chart and table", "chart_table"),
        ("en", "analyse it", "analysis"),
        ("en", "full report in Excel", "full"),
        ("es", "solo el número", "short"),
        ("es", "solo el gráfico", "chart"),
        ("es", "gráfico y tabla", "chart_table"),
        ("es", "analízalo", "analysis"),
        ("es", "informe completo en Excel", "full"),
        ("ru", "только цифру", "short"),
        ("ru", "только график", "chart"),
        ("ru", "график и таблица", "chart_table"),
        ("ru", "проанализируй", "analysis"),
        ("ru", "подробный отчёт в Excel", "full"),
    ],
)
async def test_the_last_answer_is_given_as_the_report_wished_for_without_a_query(
    language: str, text: str, kind: ReportKind
) -> None:
    _, wish = await ask_in_turn([QUESTIONS[language], text])
    assert (wish.turn_type, wish.report) == ("viz_change", kind)


@pytest.mark.parametrize("text", ["only the table", "solo la tabla", "только таблицу"])
async def test_the_table_alone_is_a_chart_that_is_none(text: str) -> None:
    _, wish = await ask_in_turn([QUESTIONS["en"], text])
    assert wish.spec is not None
    assert (wish.turn_type, wish.spec.chart) == ("viz_change", "table")


async def test_a_chart_wished_for_after_a_table_alone_is_drawn() -> None:
    *_, wish = await ask_in_turn(["processed amount by channel last month, table only", "only the chart"])
    assert wish.spec is not None
    assert wish.spec.chart is None


@pytest.mark.parametrize(
    "text",
    [
        "analyse fees by channel in October",
        "analiza las comisiones por canal en octubre",
        "проанализируй комиссии по каналам за октябрь",
    ],
)
async def test_an_analysis_compares_with_the_period_before(text: str) -> None:
    meaning = await ask(text)
    assert meaning.spec is not None
    assert meaning.spec.comparison is not None
    assert (meaning.report, meaning.spec.comparison.kind, meaning.unused_words) == ("analysis", "previous_period", ())


@pytest.mark.parametrize("text", ["analyse fees by month in 2026", "analyse the top 5 merchants by fees in October"])
async def test_an_analysis_over_time_or_of_a_ranking_stays_as_it_was_asked(text: str) -> None:
    meaning = await ask(text)
    assert meaning.spec is not None
    assert meaning.spec.comparison is None
