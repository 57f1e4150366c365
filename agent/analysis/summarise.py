"""An executive summary by rules: the figures with their changes, who moved them, and all that stands out."""

from collections.abc import Iterator

from agent.analysis.decompose import decompose
from agent.analysis.explain import explain
from agent.analysis.headline import Story, closed_once
from agent.analysis.highlights import highlights
from agent.analysis.layout import MetricColumn
from agent.analysis.reading import read_result
from agent.values.result import Kpi, ResultTable, Verification
from agent.values.spec import QuerySpec
from agent.wording.texts import say
from semantic_catalog.model import Domain, Locale

MOST_LINES = 10
_FIGURES = ("total", "overall", "average", "maximum", "minimum")


def summarise(
    table: ResultTable,
    spec: QuerySpec | None,
    kpis: tuple[Kpi, ...],
    verification: Verification,
    domain: Domain,
    locale: Locale,
    row_count: int,
) -> tuple[str, ...]:
    """At most `MOST_LINES` lines, whose numbers are cells, KPIs, or differences of them; none without a metric."""
    cut = row_count > len(table.rows)
    story = Story(reading=read_result(table, spec, domain, locale, truncated=cut), kpis=kpis)
    metric = next(iter(story.reading.layout.metrics), None)
    if metric is None or not story.reading.numbers(metric.value).count:
        return ()
    lines = (*_figures(story, metric), *_moves(story), *highlights(story, metric, verification, MOST_LINES))
    return tuple(dict.fromkeys(closed_once(line) for line in lines))[:MOST_LINES]


def _figures(story: Story, metric: MetricColumn) -> Iterator[str]:
    """'Total Fees: S/ 1.2 M (+4.1 %)', for each figure that the rows give."""
    locale, label = story.reading.locale, metric.column.label
    moved = story.kpi("change", metric.column)
    compared = story.reading.spec is not None and story.reading.spec.comparison is not None
    for kind in _FIGURES:
        kpi = story.kpi(kind, metric.column)
        if kpi is None:
            continue
        value, figure = story.write(kpi.value, metric.column), say(locale, f"kpi.{kind}")
        if kind in ("total", "overall") and moved is not None and compared:
            change = story.change(moved, metric.column, signed=True)
            yield story.say("figure_changed", figure=figure, metric=label, value=value, change=change)
        elif kpi.at:
            yield story.say("figure_at", figure=figure, metric=label, value=value, name=kpi.at)
        else:
            yield story.say("figure", figure=figure, metric=label, value=value)


def _moves(story: Story) -> tuple[str, ...]:
    """Who moved the whole, where the rows tell and are few; without the closing word on causes."""
    found = decompose(story.reading) if story.reading.profile is None else None
    return () if found is None else explain(found, story.reading, None)[:-1]
