import pytest

from agent.values.spec import ChartKind
from tests.unit.agent.understanding.asking import ask_in_turn

QUESTIONS = {
    "en": "processed amount by channel last month",
    "es": "monto procesado por canal el mes pasado",
    "ru": "оборот по каналам за прошлый месяц",
}


@pytest.mark.parametrize(
    ("language", "text", "kind"),
    [
        ("en", "as a stacked bar chart", "stacked"),
        ("en", "area chart please", "area"),
        ("en", "show it as a treemap", "treemap"),
        ("en", "combo chart", "combo"),
        ("en", "bars and a line", "combo"),
        ("en", "as bars", "bar"),
        ("es", "barras apiladas", "stacked"),
        ("es", "en un gráfico de áreas", "area"),
        ("es", "como treemap", "treemap"),
        ("es", "gráfico combinado", "combo"),
        ("ru", "столбцы с накоплением", "stacked"),
        ("ru", "диаграмма с областями", "area"),
        ("ru", "плиточная диаграмма", "treemap"),
        ("ru", "комбинированный график", "combo"),
    ],
)
async def test_another_chart_is_wished_for_in_three_languages(language: str, text: str, kind: ChartKind) -> None:
    _, wish = await ask_in_turn([QUESTIONS[language], text])
    assert wish.turn_type == "viz_change", wish
    assert wish.spec is not None
    assert wish.spec.chart == kind
