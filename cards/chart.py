"""A chart as a picture, and the same in words for those who cannot see it."""

from decimal import Decimal

from agent.values.result import ChartSpec, ResultTable
from agent.values.spec import ChartKind
from agent.wording.numbers import write_cell
from agent.wording.texts import say
from cards.charts.bars import draw_bars, lying_height
from cards.charts.canvas import Sheet, open_sheet, png, write
from cards.charts.data import ChartData, Series, read_chart_data
from cards.charts.kind import drawable_kind
from cards.charts.lines import draw_lines
from cards.charts.pie import draw_pie
from cards.charts.style import MUTED
from semantic_catalog.model import Locale

HEIGHT = 600
MAX_ALT_ITEMS = 6


def draw_chart(spec: ChartSpec, table: ResultTable, locale: Locale) -> bytes:
    """A PNG of at most 1024 × 1024 pixels, written in `locale`; blocking, so call it off the event loop.

    What cannot be drawn as wished (a pie of negative parts, a line without time) is drawn as bars. Raises `KeyError`
    when the spec names a column that the table does not have.
    """
    data = read_chart_data(spec, table, locale)
    kind = drawable_kind(spec.kind, data)
    height = lying_height(data) if kind == "horizontal_bar" else HEIGHT
    sheet = open_sheet(height, spec.title, _subtitle(spec, data, locale), _footer(spec, data, locale))
    _draw(sheet, kind, data, locale)
    return png(sheet)


def alt_text(spec: ChartSpec, table: ResultTable, locale: Locale) -> str:
    """The chart's kind, title and main values in one line."""
    data = read_chart_data(spec, table, locale)
    kind = drawable_kind(spec.kind, data)
    facts = _line_facts(data, locale) if kind == "line" else _bar_facts(data, locale)
    shown = facts[:MAX_ALT_ITEMS]
    if len(facts) > MAX_ALT_ITEMS:
        shown.append(say(locale, "chart.alt_more", more=len(facts) - MAX_ALT_ITEMS))
    return say(locale, f"chart.alt_{kind}", title=spec.title, facts="; ".join(shown))


def _draw(sheet: Sheet, kind: ChartKind, data: ChartData, locale: Locale) -> None:
    if data.is_empty:
        sheet.axes.set_axis_off()
        write(sheet.axes, (0.5, 0.5), say(locale, "chart.no_data"), ha="center", va="center", size=14, color=MUTED)
    elif kind == "line":
        draw_lines(sheet, data, locale)
    elif kind == "pie":
        draw_pie(sheet, data, locale)
    else:
        draw_bars(sheet, data, locale, lying=kind == "horizontal_bar")


def _subtitle(spec: ChartSpec, data: ChartData, locale: Locale) -> str:
    if not spec.subtitle:
        return data.column.label
    return say(locale, "chart.subtitle", measure=data.column.label, period=spec.subtitle)


def _footer(spec: ChartSpec, data: ChartData, locale: Locale) -> str:
    if not spec.source:
        return data.note
    key = "chart.source_and_note" if data.note else "chart.source"
    return say(locale, key, source=spec.source, note=data.note)


def _bar_facts(data: ChartData, locale: Locale) -> list[str]:
    return [
        say(locale, "chart.alt_item", name=_bar_name(data, series, place), value=_text(value, data, locale))
        for place in range(len(data.categories))
        for series in data.series
        if (value := series.values[place]) is not None
    ]


def _bar_name(data: ChartData, series: Series, place: int) -> str:
    category = data.categories[place]
    return category if len(data.series) == 1 else f"{category}, {series.name}"


def _line_facts(data: ChartData, locale: Locale) -> list[str]:
    return [fact for series in data.series for fact in _line_fact(data, series, locale)]


def _line_fact(data: ChartData, series: Series, locale: Locale) -> list[str]:
    known = [(value, place) for place, value in enumerate(series.values) if value is not None]
    if not known:
        return []
    marks = {"first": known[0], "last": known[-1], "high": max(known), "low": min(known)}
    words = {key: _text(value, data, locale) for key, (value, _) in marks.items()}
    buckets = {f"{key}_bucket": data.categories[place] for key, (_, place) in marks.items()}
    return [say(locale, "chart.alt_line_item", name=series.name, **words, **buckets)]


def _text(value: Decimal, data: ChartData, locale: Locale) -> str:
    return write_cell(value, data.column, locale, compact=True)
