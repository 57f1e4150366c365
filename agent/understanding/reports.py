"""How much of an answer is wanted: a number, the table, the chart, an analysis, a whole report."""

from dataclasses import replace

from agent.understanding.mentions import Reading
from agent.understanding.parts import Parts
from agent.values.spec import ChartKind, QuerySpec, ReportKind

_KINDS: dict[str, ReportKind] = {
    "report_full": "full",
    "analysis": "analysis",
    "report_short": "short",
    "report_chart_table": "chart_table",
    "report_chart": "chart",
}
REPORTS = tuple(_KINDS)


def report_in(reading: Reading) -> ReportKind | None:
    """The kind of report that the message asks for; None where it says nothing of it."""
    return next((kind for rule, kind in _KINDS.items() if reading.has(rule)), None)


def redrawn(spec: QuerySpec, wished: ChartKind | None, report: ReportKind | None) -> QuerySpec:
    """The question with another chart; of a report with a chart, what was shown as a table alone is drawn."""
    drawn = report in ("chart", "chart_table") and spec.chart == "table"
    return replace(spec, chart=wished or (None if drawn else spec.chart))


def with_comparable_period(parts: Parts, reading: Reading) -> Parts:
    """An analysis compares with the period before, where nothing else is asked of the question's time or rows."""
    asked = reading.has("analysis") and parts.period is not None and parts.period.start is not None
    timed = parts.grain or parts.trend or parts.comparison or parts.wants_year or parts.wants_week
    shaped = parts.rank or parts.having or parts.share or parts.calculation or parts.counted
    return replace(parts, wants_previous=True) if asked and not timed and not shaped else parts
