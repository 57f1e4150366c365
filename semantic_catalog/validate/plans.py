"""A plan mirrors entities, its views look at metrics, and what adds up unlike things says how to split it."""

from collections.abc import Iterator

from semantic_catalog.issues import Issue, nearest
from semantic_catalog.model import DimensionName, Domain, Metric, Plan, SpecTemplate
from semantic_catalog.validate.rule import DomainSource

Path = tuple[str, ...]


def plan_entities_exist(source: DomainSource) -> Iterator[Issue]:
    """Both sides of the plan are entities, and each view is named once, in every language, with its metric in it."""
    plan = source.domain.plan
    if plan is None:
        return
    known = {entity.name for entity in source.domain.entities}
    for side, name in (("actual", plan.actual), ("budget", plan.budget)):
        if name not in known:
            yield source.issue(f"unknown entity '{name}'", "plan", side, suggestion=nearest(name, known))
    yield from _view_faults(source, plan)


def _view_faults(source: DomainSource, plan: Plan) -> Iterator[Issue]:
    seen: set[str] = set()
    for index, view in enumerate(plan.views):
        at = ("plan", "views", str(index))
        if view.view in seen:
            yield source.issue(f"the view '{view.view}' is named twice", *at)
        seen.add(view.view)
        texts = [*view.names.label.values(), *(text for words in view.names.synonyms.values() for text in words)]
        for text in dict.fromkeys(texts):
            if "{metric}" not in text:
                yield source.issue(f"'{text}' has no place for '{{metric}}'", *at)


def views_look_at_metrics(source: DomainSource) -> Iterator[Issue]:
    """A metric names its view and what it looks at together; that is a metric and no view itself."""
    metrics = {metric.name: metric for metric in source.domain.metrics}
    plain = [name for name, metric in metrics.items() if metric.view is None]
    for metric in metrics.values():
        at = ("metrics", metric.name)
        if (metric.view is None) != (metric.view_of is None):
            yield source.issue("'view' and 'view_of' belong together", *at)
        elif metric.view_of is not None and metric.view_of not in plain:
            hint = nearest(metric.view_of, plain)
            yield source.issue(f"no metric '{metric.view_of}' to look at", *at, "view_of", suggestion=hint)


def needed_dimensions_exist(source: DomainSource) -> Iterator[Issue]:
    """What a metric must be split or filtered by is something it can be split by."""
    known = {dimension.name for dimension in source.domain.dimensions}
    for metric in source.domain.metrics:
        offered = known if metric.dimensions is None else known & set(metric.dimensions)
        for name in metric.needs_one_of:
            if name not in offered:
                hint = nearest(name, offered)
                message = f"'{metric.name}' cannot be split by '{name}'"
                yield source.issue(message, "metrics", metric.name, "needs_one_of", suggestion=hint)


def templates_split_what_must_be(source: DomainSource) -> Iterator[Issue]:
    """Examples and trusted queries never add up unlike things."""
    metrics = {metric.name: metric for metric in source.domain.metrics}
    for template, at in _templates(source.domain):
        used = {*template.dimensions, *(dimension for dimension, _ in template.filters)}
        for metric in (metrics[name] for name in template.metrics if name in metrics):
            if _adds_up_unlike_things(metric, used):
                wanted = ", ".join(metric.needs_one_of)
                yield source.issue(f"'{metric.name}' needs one of {wanted}", *at)


def _adds_up_unlike_things(metric: Metric, used: set[DimensionName]) -> bool:
    return bool(metric.needs_one_of) and not used & set(metric.needs_one_of)


def _templates(domain: Domain) -> Iterator[tuple[SpecTemplate, Path]]:
    for index, example in enumerate(domain.examples):
        yield example.spec, ("examples", str(index), "spec")
    for query in domain.trusted_queries:
        yield query.spec, ("trusted_queries", query.name, "spec")
