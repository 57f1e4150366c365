"""The words of an answer: the sentence that answers, then what stands out."""

from agent.analysis.favour import favours
from agent.analysis.headline import Headline, Story, closed_once
from agent.analysis.highlights import highlights
from agent.analysis.narrate_members import tell_members
from agent.analysis.narrate_single import tell_single
from agent.analysis.narrate_time import tell_time
from agent.analysis.reading import read_result
from agent.values.result import Kpi, Narrative, ResultTable, Verification
from agent.values.spec import QuerySpec
from semantic_catalog.model import Domain, Locale


def narrate(
    table: ResultTable,
    spec: QuerySpec | None,
    kpis: tuple[Kpi, ...],
    verification: Verification,
    domain: Domain,
    locale: Locale,
    row_count: int,
) -> Narrative:
    """The headline and at most three highlights, in `locale`. `rest` follows `lead` after a space.

    Every number is a cell, a KPI, a count of buckets or a date of the spec. Totals are not told of a cut result.
    """
    cut = row_count > len(table.rows) or any(doubt.key == "truncated" for doubt in verification.doubts)
    story = Story(reading=read_result(table, spec, domain, locale, truncated=cut), kpis=kpis)
    metric = next(iter(story.reading.layout.metrics), None)
    if metric is None:
        return Narrative(lead=story.say("only_rows", rows=str(row_count)))
    if not table.rows:
        return _written(story.told(story.say("no_rows", metric=metric.column.label)))
    if not story.reading.numbers(metric.value).count:
        return _written(story.told(story.say("no_value", metric=metric.column.label)))
    if not story.reading.layout.keys:
        return _written(tell_single(story, metric), tuple(favours(story)))
    tell = tell_time if story.reading.layout.time is not None else tell_members
    return _written(tell(story, metric), highlights(story, metric, verification))


def _written(headline: Headline, lines: tuple[str, ...] = ()) -> Narrative:
    return Narrative(
        lead=closed_once(headline.lead),
        rest=closed_once(" ".join(headline.rest)),
        highlights=tuple(closed_once(line) for line in lines),
    )
