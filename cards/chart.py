"""A chart as a picture, and the same in words for those who cannot see it."""

from dataclasses import replace
from decimal import Decimal

from agent.values.result import ChartSpec, ResultColumn, ResultTable
from agent.values.spec import ChartKind
from agent.wording.numbers import write_cell
from agent.wording.texts import say
from cards.charts.areas import draw_areas
from cards.charts.bars import draw_bars, lying_height
from cards.charts.canvas import Sheet, open_sheet, png, write
from cards.charts.combo import draw_combo
from cards.charts.data import Band, ChartData, Series
from cards.charts.forecast import draw_forecast
from cards.charts.kind import drawable_kind, stands
from cards.charts.lines import draw_lines
from cards.charts.pie import draw_pie
from cards.charts.read import read_chart_data
from cards.charts.stacked import draw_stacked
from cards.charts.style import MUTED
from cards.charts.treemap import draw_treemap
from semantic_catalog.model import Locale

HEIGHT = 600
LEGEND = 60
MAX_ALT_ITEMS = 6


def draw_chart(spec: ChartSpec, table: ResultTable, locale: Locale) -> bytes:
    """A PNG of at most 1024 × 1024 pixels, written in `locale`; blocking, so call it off the event loop.

    What cannot be drawn as wished (a pie of negative parts, a line without time) is drawn as bars. Raises `KeyError`
    when the spec names a column that the table does not have.
    """
    data = read_chart_data(spec, table, locale)
    kind = drawable_kind(spec.kind, data)
    sheet = open_sheet(_height(kind, data), spec.title, _subtitle(spec, data, locale), _footer(spec, data, locale))
    _draw(sheet, kind, data, locale)
    return png(sheet)


def alt_text(spec: ChartSpec, table: ResultTable, locale: Locale) -> str:
    """The chart's kind, title and main values in one line."""
    data = read_chart_data(spec, table, locale)
    kind = drawable_kind(spec.kind, data)
    facts = _line_facts(data, locale) if kind in ("line", "area") else _bar_facts(data, locale)
    shown = facts[:MAX_ALT_ITEMS]
    if len(facts) > MAX_ALT_ITEMS:
        shown.append(say(locale, "chart.alt_more", more=len(facts) - MAX_ALT_ITEMS))
    return say(locale, f"chart.alt_{kind}", title=spec.title, facts="; ".join(shown))


def _draw(sheet: Sheet, kind: ChartKind, data: ChartData, locale: Locale) -> None:
    if data.is_empty:
        sheet.axes.set_axis_off()
        write(sheet.axes, (0.5, 0.5), say(locale, "chart.no_data"), ha="center", va="center", size=14, color=MUTED)
    else:
        _draw_kind(sheet, kind, data, locale)


def _draw_kind(sheet: Sheet, kind: ChartKind, data: ChartData, locale: Locale) -> None:
    match kind:
        case "line" if data.bands and _has_history(data):
            draw_forecast(sheet, data, locale)
        case "line":
            draw_lines(sheet, data, locale)
        case "area":
            draw_areas(sheet, data, locale)
        case "pie":
            draw_pie(sheet, data, locale)
        case "treemap":
            draw_treemap(sheet, data, locale)
        case "stacked":
            draw_stacked(sheet, data, locale, lying=_lies(data))
        case "combo":
            draw_combo(sheet, data, locale)
        case "bar" | "horizontal_bar" | "table":
            draw_bars(sheet, data, locale, lying=kind == "horizontal_bar")


def _has_history(data: ChartData) -> bool:
    return len(data.series) == 2 and all(any(v is not None for v in series.values) for series in data.series)


def _lies(data: ChartData) -> bool:
    return not data.starts and not stands(data)


def _height(kind: ChartKind, data: ChartData) -> float:
    if kind == "stacked" and _lies(data):
        return lying_height(replace(data, series=data.series[:1])) + LEGEND
    return lying_height(data) if kind == "horizontal_bar" else HEIGHT


def _subtitle(spec: ChartSpec, data: ChartData, locale: Locale) -> str:
    measure = data.column.label
    if spec.kind == "combo" and len(data.series) == 2:
        measure = ", ".join(series.name for series in data.series)
    return say(locale, "chart.subtitle", measure=measure, period=spec.subtitle) if spec.subtitle else measure


def _footer(spec: ChartSpec, data: ChartData, locale: Locale) -> str:
    if not spec.source:
        return data.note
    key = "chart.source_and_note" if data.note else "chart.source"
    return say(locale, key, source=spec.source, note=data.note)


def _bar_facts(data: ChartData, locale: Locale) -> list[str]:
    return [
        say(
            locale,
            "chart.alt_item",
            name=_bar_name(data, series, place),
            value=_text(value, series.column or data.column, locale),
        )
        for place in range(len(data.categories))
        for series in data.series
        if (value := series.values[place]) is not None
    ]


def _bar_name(data: ChartData, series: Series, place: int) -> str:
    category = data.categories[place]
    return category if len(data.series) == 1 else f"{category}, {series.name}"


def _line_facts(data: ChartData, locale: Locale) -> list[str]:
    lines = [fact for series in data.series for fact in _line_fact(data, series, locale)]
    return lines + [fact for band in reversed(data.bands) for fact in _band_fact(data, band, locale)]


def _band_fact(data: ChartData, band: Band, locale: Locale) -> list[str]:
    ends = [(low, high, place) for place, (low, high) in enumerate(zip(band.low.values, band.high.values, strict=True))]
    known = [(low, high, place) for low, high, place in ends if low is not None and high is not None]
    if not known:
        return []
    low, high, place = known[-1]
    words = {"low": _text(low, data.column, locale), "high": _text(high, data.column, locale)}
    return [say(locale, "chart.alt_interval", level=band.level, bucket=data.categories[place], **words)]


def _line_fact(data: ChartData, series: Series, locale: Locale) -> list[str]:
    known = [(value, place) for place, value in enumerate(series.values) if value is not None]
    if not known:
        return []
    marks = {"first": known[0], "last": known[-1], "high": max(known), "low": min(known)}
    words = {key: _text(value, data.column, locale) for key, (value, _) in marks.items()}
    buckets = {f"{key}_bucket": data.categories[place] for key, (_, place) in marks.items()}
    return [say(locale, "chart.alt_line_item", name=series.name, **words, **buckets)]


def _text(value: Decimal, column: ResultColumn, locale: Locale) -> str:
    return write_cell(value, column, locale, compact=True)
