"""Charts that Teams draws itself."""

from collections.abc import Callable, Mapping
from typing import Final

from microsoft_teams.cards import core

from cards.elements import Plot
from cards.render.clean import clean, one_line


def chart_of(plot: Plot, instead: core.CardElement) -> core.CardElement:
    """The chart; clients that cannot draw it show `instead`."""
    return _DRAWN[plot.kind](plot, instead)


def _line(plot: Plot, instead: core.CardElement) -> core.CardElement:
    data = [
        core.LineChartData(
            legend=one_line(clean(name)),
            values=[core.LineChartValue(x=label, y=value) for label, value in _points(plot, values)],
        )
        for name, values in plot.series
    ]
    return core.LineChart(title=_title(plot), data=data, fallback=instead)


def _bars(plot: Plot, instead: core.CardElement) -> core.CardElement:
    if len(plot.series) > 1:
        data = [
            core.GroupedVerticalBarChartData(
                legend=one_line(clean(name)),
                values=[core.BarChartDataValue(x=label, y=value) for label, value in _points(plot, values)],
            )
            for name, values in plot.series
        ]
        return core.GroupedVerticalBarChart(title=_title(plot), data=data, fallback=instead)
    bars = [core.VerticalBarChartDataValue(x=label, y=value) for label, value in _only(plot)]
    return core.VerticalBarChart(title=_title(plot), data=bars, fallback=instead)


def _lying(plot: Plot, instead: core.CardElement) -> core.CardElement:
    if len(plot.series) > 1:
        return _bars(plot, instead)
    bars = [core.HorizontalBarChartDataValue(x=label, y=value) for label, value in _only(plot)]
    return core.HorizontalBarChart(title=_title(plot), data=bars, fallback=instead)


def _pie(plot: Plot, instead: core.CardElement) -> core.CardElement:
    slices = [core.DonutChartData(legend=label, value=value) for label, value in _only(plot)]
    return core.PieChart(title=_title(plot), data=slices, fallback=instead)


def _only(plot: Plot) -> list[tuple[str, float]]:
    return _points(plot, plot.series[0][1])


def _points(plot: Plot, values: tuple[float | None, ...]) -> list[tuple[str, float]]:
    """A gap is no point."""
    pairs = zip(plot.labels, values, strict=True)
    return [(one_line(clean(label)), value) for label, value in pairs if value is not None]


def _title(plot: Plot) -> str | None:
    return one_line(clean(plot.title)) or None


_DRAWN: Final[Mapping[str, Callable[[Plot, core.CardElement], core.CardElement]]] = {
    "line": _line,
    "bar": _bars,
    "lying": _lying,
    "pie": _pie,
}
