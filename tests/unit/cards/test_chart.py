from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from io import BytesIO
from itertools import pairwise

import matplotlib as mpl
import pytest
from PIL import Image

from agent.analysis.chart_choice import choose_chart
from agent.analysis.members import with_member_labels
from agent.values.result import Cell, ChartSpec, ResultTable
from agent.values.spec import ChartKind
from cards.chart import alt_text, draw_chart
from cards.charts.lines import spread_apart
from cards.charts.read import read_chart_data
from semantic_catalog.model import LOCALES, Locale
from tests.unit.agent.analysis.cases import cases
from tests.unit.agent.analysis.results import dimension, metric, payments, table, time

LONG_NAME = "Comercializadora Internacional de Alimentos y Bebidas del Perú S.A.C."
HOSTILE = (
    "$S/ 5$ and $x^2$",
    r"\frac{1}{0}",
    "a_b^c",
    r"$\frac{$",
    "日本語 🙂",
    "line\nbreak\ttab\x00nul",
    "<b>x</b>",
    "",
    " ",
    "مرحبا",
)


def drawn(spec: ChartSpec, rows: ResultTable, locale: Locale = "en") -> Image.Image:
    content = draw_chart(spec, rows, locale)
    assert len(content) < 1_000_000
    image = Image.open(BytesIO(content))
    assert image.format == "PNG"
    assert image.width <= 1024
    assert 400 <= image.height <= 1024
    return image.convert("RGB")


def colours(image: Image.Image) -> set[tuple[int, ...]]:
    return {colour for _, colour in image.getcolors(maxcolors=1 << 24) or ()}  # type: ignore[misc]  # RGB gives tuples


def is_blank(image: Image.Image) -> bool:
    return len(colours(image)) < 10


def edge_is_clean(image: Image.Image) -> bool:
    """Nothing touches the border: no label is cut off."""
    width, height = image.size
    strips = ((0, 0, 6, height), (width - 6, 0, width, height), (0, 0, width, 6), (0, height - 6, width, height))
    return all(image.crop(strip).getcolors() == [(_area(strip), (255, 255, 255))] for strip in strips)


def _area(strip: tuple[int, int, int, int]) -> int:
    return (strip[2] - strip[0]) * (strip[3] - strip[1])


def spec_of(kind: ChartKind, category: str, value: str, series: str | None = None, additive: bool = False) -> ChartSpec:
    return ChartSpec(
        kind=kind, category=category, values=(value,), series=series, title="Processed amount by merchant",
        subtitle="25–31 Oct 2026", source="Merchant performance", additive=additive,
    )  # fmt: skip


def merchants(count: int) -> ResultTable:
    rows = ((f"{LONG_NAME} {i}" if i % 3 else f"Bodega {i}", 10_000_000 / (i + 1)) for i in range(count))
    return table((dimension("merchant"), metric("processed_amount")), *rows)


def days(values: list[Cell]) -> ResultTable:
    start = date(2025, 9, 1)
    rows = ((start + timedelta(days=i), value) for i, value in enumerate(values) if value is not None)
    return table((time("day"), metric("transactions")), *rows)


def chosen() -> Iterator[tuple[str, Locale]]:
    for locale in LOCALES:
        for case in cases(locale):
            if choose_chart(case.table, case.spec, payments(), locale, "T", "S") is not None:
                yield case.name, locale


@pytest.mark.parametrize(("name", "locale"), tuple(chosen()))
def test_every_chosen_chart_is_drawn_within_its_sheet(name: str, locale: Locale) -> None:
    case = next(case for case in cases(locale) if case.name == name)
    rows = with_member_labels(case.table, payments(), locale)
    spec = choose_chart(rows, case.spec, payments(), locale, "Доля одобренных по каналам, последние 7 дней", "Ñandú")
    assert spec is not None
    image = drawn(spec, rows, locale)
    assert not is_blank(image)
    assert edge_is_clean(image)


@pytest.mark.parametrize("kind", ["bar", "horizontal_bar", "pie"])
@pytest.mark.parametrize("additive", [True, False])
def test_sixty_long_names_are_drawn_within_the_sheet(kind: ChartKind, additive: bool) -> None:
    image = drawn(spec_of(kind, "merchant", "processed_amount", additive=additive), merchants(60))
    assert edge_is_clean(image)


@pytest.mark.parametrize(
    "values",
    [
        [5],
        [5, None, 7],
        [0, 0, 0],
        [-5, 3, -2],
        [10**12, 1, 10**12],
        [100 + i % 7 for i in range(400)],
        [None if 100 < i < 120 else 100 + i % 7 for i in range(400)],
        [5 if i % 2 else None for i in range(90)],
    ],
    ids=["one", "gap", "zeros", "negative", "huge", "400", "400 with a gap", "lone points"],
)
def test_lines_of_hard_data_are_drawn(values: list[Cell]) -> None:
    image = drawn(spec_of("line", "day", "transactions"), days(values))
    assert edge_is_clean(image)
    assert (0, 0x72, 0xB2) in colours(image)


@pytest.mark.parametrize("kind", ["bar", "horizontal_bar", "pie", "line"])
@pytest.mark.parametrize(
    "values", [[-5.5, 3.25], [-5.5, -3.25], [0.0, 0.0], [5.0], [1e12, 0.01], [None, None], [None, 4.0]]
)
def test_bars_of_hard_data_are_drawn(kind: ChartKind, values: list[float | None]) -> None:
    rows = table((dimension("channel"), metric("processed_amount")), *zip(("pos", "atm"), values, strict=False))
    assert edge_is_clean(drawn(spec_of(kind, "channel", "processed_amount"), rows))


@pytest.mark.parametrize("kind", ["bar", "horizontal_bar", "pie"])
def test_result_without_rows_says_so_instead_of_failing(kind: ChartKind) -> None:
    rows = table((dimension("channel"), metric("fees")))
    assert not is_blank(drawn(spec_of(kind, "channel", "fees"), rows))
    assert not is_blank(drawn(spec_of("line", "day", "transactions"), days([])))


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("kind", ["bar", "horizontal_bar", "pie", "line"])
def test_any_text_is_drawn_as_it_stands(text: str, kind: ChartKind) -> None:
    columns = (replace(dimension("merchant"), label=text), replace(metric("fees"), label=text))
    rows = table(columns, (text, 5.0), ("Wong", 3.0))
    spec = replace(spec_of(kind, "merchant", "fees"), title=text, subtitle=text, source=text)
    assert edge_is_clean(drawn(spec, rows))
    lines = table((time("day"), *columns), *((date(2026, 10, day), text or "x", 5.0) for day in (1, 2)),
                  *((date(2026, 10, day), "Wong", 4.0) for day in (1, 2)))  # fmt: skip
    assert edge_is_clean(drawn(replace(spec, kind="line", category="day", series="merchant"), lines))


def test_drawing_leaves_global_settings_alone_and_is_deterministic() -> None:
    before = dict(mpl.rcParams)
    spec, rows = spec_of("bar", "merchant", "processed_amount"), merchants(4)
    assert draw_chart(spec, rows, "en") == draw_chart(spec, rows, "en")
    assert dict(mpl.rcParams) == before


def test_unknown_column_is_a_fault() -> None:
    with pytest.raises(KeyError):
        draw_chart(spec_of("bar", "nowhere", "processed_amount"), merchants(2), "en")


def test_bars_are_sorted_and_the_rest_of_an_additive_metric_is_summed() -> None:
    rows = table(
        (dimension("merchant"), metric("processed_amount")), *((f"M{i:02}", float(i % 30 + 1)) for i in range(30))
    )
    data = read_chart_data(spec_of("horizontal_bar", "merchant", "processed_amount", additive=True), rows, "en")
    assert data.categories[0] == "M00"
    shuffled = ResultTable(columns=rows.columns, rows=(*rows.rows[10:], *rows.rows[:10]))
    data = read_chart_data(spec_of("horizontal_bar", "merchant", "processed_amount", additive=True), shuffled, "en")
    assert data.categories[:2] == ("M29", "M28")
    assert (data.categories[-1], data.series[0].values[-1]) == ("Other (12)", Decimal(78))
    assert data.note == ""


def test_values_that_may_not_be_summed_are_cut_with_a_note() -> None:
    data = read_chart_data(spec_of("horizontal_bar", "merchant", "processed_amount"), merchants(60), "es")
    assert (len(data.categories), data.other, data.note) == (18, None, "se muestran 18 de 60")


def test_pie_has_at_most_six_slices_and_other() -> None:
    seven = read_chart_data(spec_of("pie", "merchant", "processed_amount", additive=True), merchants(7), "en")
    eight = read_chart_data(spec_of("pie", "merchant", "processed_amount", additive=True), merchants(8), "en")
    assert (len(seven.categories), len(eight.categories)) == (7, 7)
    assert eight.categories[-1] == "Other (2)"


def test_missing_days_are_gaps() -> None:
    data = read_chart_data(spec_of("line", "day", "transactions"), days([5, None, 7]), "en")
    assert data.series[0].values == (Decimal(5), None, Decimal(7))
    assert data.starts == (date(2025, 9, 1), date(2025, 9, 2), date(2025, 9, 3))


def test_more_than_eight_lines_become_seven_and_other_or_the_first_eight() -> None:
    columns = (time("day"), dimension("merchant"), metric("fees"))
    rows = table(columns, *((date(2026, 10, day), f"M{m}", float(m)) for day in (1, 2) for m in range(12)))
    summed = read_chart_data(spec_of("line", "day", "fees", "merchant", additive=True), rows, "en")
    cut = read_chart_data(spec_of("line", "day", "fees", "merchant"), rows, "en")
    assert [series.name for series in summed.series] == ["M11", "M10", "M9", "M8", "M7", "M6", "M5", "Other (5)"]
    assert summed.series[-1].values == (Decimal(10), Decimal(10))
    assert len(cut.series) == 8
    assert cut.note == "8 of 12 shown"


def test_line_of_the_rest_that_would_press_the_others_flat_is_left_out() -> None:
    columns = (time("day"), dimension("merchant"), metric("fees"))
    rows = table(columns, *((date(2026, 10, day), f"M{m}", 5.0) for day in (1, 2) for m in range(60)))
    data = read_chart_data(spec_of("line", "day", "fees", "merchant", additive=True), rows, "en")
    assert (len(data.series), data.note) == (8, "8 of 60 shown")


def test_names_at_line_ends_are_apart_and_inside() -> None:
    heights = spread_apart([(1.0, 0), (1.0, 1), (9.9, 2), (10.0, 3)], gap=1.0, low=0.0, high=10.0)
    placed = sorted(heights.values())
    assert all(above - below >= 1.0 for below, above in pairwise(placed))
    assert placed[-1] <= 10.0


@pytest.mark.parametrize(
    ("name", "locale", "text"),
    [
        ("rate_by_channel", "en", "Bar chart. Title. E-commerce: 81.2 %; Mobile: 85.3 %; ATM: 89.9 %; POS: 91.4 %"),
        ("shares", "es", "Gráfico circular. Title. POS: 60,0 %; Comercio electrónico: 30,0 %; Móvil: 10,0 %"),
        ("day_missing", "ru", "Линейный график. Title. Доля одобренных: с 85,0 % (25 окт. 2026) до 85,6 %"
         " (31 окт. 2026), максимум 85,6 % (31 окт. 2026), минимум 85,0 % (25 окт. 2026)"),
        ("two_dimensions", "en", "Bar chart. Title. E-commerce, Visa: 7; E-commerce, American Express: 17;"
         " POS, Visa: 107; POS, American Express: 117; Mobile, Visa: 207; Mobile, American Express: 217; and 2 more"),
    ],
)  # fmt: skip
def test_alternative_text_says_what_is_drawn(name: str, locale: Locale, text: str) -> None:
    case = next(case for case in cases(locale) if case.name == name)
    rows = with_member_labels(case.table, payments(), locale)
    spec = choose_chart(rows, case.spec, payments(), locale, "Title", "S")
    assert spec is not None
    assert alt_text(spec, rows, locale).replace("\u00a0", " ") == text


def test_charts_drawn_side_by_side_are_those_drawn_alone() -> None:
    jobs = [(spec_of(kind, "merchant", "processed_amount", additive=True), merchants(count))
            for kind in ("bar", "horizontal_bar", "pie") for count in (3, 30)]  # fmt: skip
    alone = [draw_chart(spec, rows, "ru") for spec, rows in jobs]
    with ThreadPoolExecutor(max_workers=6) as pool:
        together = list(pool.map(lambda job: draw_chart(job[0], job[1], "ru"), jobs * 2))
    assert together == alone * 2
