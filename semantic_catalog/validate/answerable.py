"""What is promised can be answered: each dimension and grain a metric offers has a source that gives it."""

from collections.abc import Iterator

from semantic_catalog.issues import Issue, nearest
from semantic_catalog.model import Metric
from semantic_catalog.reach import measures_of, sources_of
from semantic_catalog.validate.rule import DomainSource


def metrics_keep_their_promise(source: DomainSource) -> Iterator[Issue]:
    """Every listed dimension and grain of a metric is known and given by a source of each of its measures."""
    known = {dimension.name for dimension in source.domain.dimensions}
    for metric in source.domain.metrics:
        for name in metric.dimensions or ():
            at = ("metrics", metric.name, "dimensions")
            if name not in known:
                yield source.issue(f"unknown dimension '{name}'", *at, suggestion=nearest(name, known))
            elif not _splits(source, metric, name):
                yield source.issue(f"no source gives '{metric.name}' by '{name}'", *at)
        yield from _grain_faults(source, metric)


def _splits(source: DomainSource, metric: Metric, name: str) -> bool:
    dimensions = frozenset(d.name for d in source.domain.dimensions if d.name == name)
    measures = measures_of(source.domain, metric.name)
    return all(sources_of(source.domain, measure, dimensions) for measure in measures)


def _grain_faults(source: DomainSource, metric: Metric) -> Iterator[Issue]:
    for grain in metric.grains or ():
        measures = measures_of(source.domain, metric.name)
        if not all(sources_of(source.domain, measure, frozenset(), grain) for measure in measures):
            yield source.issue(f"no source gives '{metric.name}' by {grain}", "metrics", metric.name, "grains")
