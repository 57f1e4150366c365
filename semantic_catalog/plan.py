"""A domain with a plan, completed: the plan's measures, and for every metric its budget, variance and attainment."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from semantic_catalog.model import (
    DimensionName,
    Domain,
    Entity,
    Locale,
    MeasureName,
    Metric,
    MetricName,
    Names,
    Plan,
    PlanView,
    ViewNames,
)
from semantic_catalog.reach import dimensions_of, parts_of


def with_plan_views(domain: Domain) -> Domain:
    """The domain with everything its plan implies; itself where it has no plan, or one of unknown entities.

    Guarantees that what the domain defines by hand is kept, and comes before what is added.
    """
    entities = {entity.name: entity for entity in domain.entities}
    if domain.plan is None or not {domain.plan.actual, domain.plan.budget} <= set(entities):
        return domain
    actual, budget = entities[domain.plan.actual], entities[domain.plan.budget]
    planned = _with_measures(budget, actual)
    whole = replace(domain, entities=tuple(planned if e is budget else e for e in domain.entities))
    return replace(whole, metrics=(*domain.metrics, *_views(_Planner(domain=whole, plan=domain.plan), actual)))


def is_planned(metrics: Iterable[MetricName], domain: Domain) -> bool:
    """Whether every metric is told by the plan alone, which reaches further than what has happened."""
    plan = next((entity for entity in domain.entities if domain.plan and entity.name == domain.plan.budget), None)
    own = {measure.name for measure in plan.measures} if plan else set()
    asked = [domain.metric(name) for name in metrics]
    return bool(asked) and all(each.view == "budget" or each.measure in own for each in asked)


def budget_measure(measure: MeasureName) -> MeasureName:
    """The plan's measure of what `measure` is of the actual figures."""
    return MeasureName(f"{measure}_budget")


def _with_measures(budget: Entity, actual: Entity) -> Entity:
    own = {measure.name for measure in budget.measures}
    added = (replace(measure, name=budget_measure(measure.name)) for measure in actual.measures)
    return replace(budget, measures=(*budget.measures, *(measure for measure in added if measure.name not in own)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Planner:
    """Writes the views of a domain's metrics."""

    domain: Domain
    plan: Plan

    def named(self, view: PlanView, metric: MetricName) -> MetricName:
        """The metric that is this view: one written by hand, else the one that is added."""
        written = (known.name for known in self.domain.metrics if (known.view, known.view_of) == (view, metric))
        return next(written, MetricName(f"{metric}_{view}"))

    def view(self, names: ViewNames, metric: Metric) -> Metric:
        """The view of a metric."""
        return replace(
            _PARTS[names.view](self, metric),
            name=self.named(names.view, metric.name),
            names=_filled(names.names, metric.names),
            instead=(),
            view=names.view,
            view_of=metric.name,
        )

    def budget(self, metric: Metric) -> Metric:
        """The metric computed from the plan; it can be split by what only the plan knows, too."""
        own = dimensions_of(self.domain, self.plan.budget) - dimensions_of(self.domain, self.plan.actual)
        planned = replace(self.variance(metric), kind=metric.kind, expression=None)
        extra = () if metric.dimensions is None else tuple(sorted(own))
        return replace(
            planned,
            dimensions=None if planned.dimensions is None else (*planned.dimensions, *extra),
            measure=metric.measure and budget_measure(metric.measure),
            numerator=metric.numerator and self.named("budget", metric.numerator),
            denominator=metric.denominator and self.named("budget", metric.denominator),
            expression=metric.expression and self._planned(metric.expression),
        )

    def variance(self, metric: Metric) -> Metric:
        """Actual − budget."""
        return replace(
            metric,
            kind="derived",
            measure=None,
            numerator=None,
            denominator=None,
            expression=f"{metric.name} - {self.named('budget', metric.name)}",
            dimensions=self._shared(metric),
        )

    def attainment(self, metric: Metric) -> Metric:
        """Actual ÷ budget."""
        return self._of_budget(metric, metric.name)

    def variance_pct(self, metric: Metric) -> Metric:
        """(Actual − budget) ÷ budget."""
        return self._of_budget(metric, self.named("variance", metric.name))

    def _of_budget(self, metric: Metric, part: MetricName) -> Metric:
        return replace(
            self.variance(metric),
            kind="ratio",
            expression=None,
            numerator=part,
            denominator=self.named("budget", metric.name),
            format="percent",
            unit=None,
        )

    def _shared(self, metric: Metric) -> tuple[DimensionName, ...] | None:
        if metric.dimensions is None:
            return None
        known = dimensions_of(self.domain, self.plan.budget)
        return tuple(dimension for dimension in metric.dimensions if dimension in known)

    def _planned(self, expression: str) -> str:
        tree = sqlglot.parse_one(expression)
        for column in list(tree.find_all(exp.Column)):
            column.set("this", exp.to_identifier(self.named("budget", MetricName(column.name))))
        return tree.sql()


_PARTS = {
    "budget": _Planner.budget,
    "variance": _Planner.variance,
    "variance_pct": _Planner.variance_pct,
    "attainment": _Planner.attainment,
}
_OF_BUDGET = ("variance_pct", "attainment")


def _views(planner: _Planner, actual: Entity) -> Iterator[Metric]:
    known = {metric.name for metric in planner.domain.metrics}
    for metric in _metrics_from(planner.domain, actual):
        for names in planner.plan.views:
            # What part of a planned percentage was reached is a number nobody can read.
            readable = names.view not in _OF_BUDGET or metric.format != "percent"
            if readable and planner.named(names.view, metric.name) not in known:
                yield planner.view(names, metric)


def _metrics_from(domain: Domain, actual: Entity) -> tuple[Metric, ...]:
    """The metrics that come from one entity alone, in the order written. Circular ones never do."""
    found: dict[MetricName, Metric] = {}
    while added := [metric for metric in domain.metrics if metric.name not in found and _comes(metric, actual, found)]:
        found.update((metric.name, metric) for metric in added)
    return tuple(metric for metric in domain.metrics if metric.name in found)


def _comes(metric: Metric, actual: Entity, found: Mapping[MetricName, Metric]) -> bool:
    if metric.view is not None:
        return False
    if metric.kind == "simple" and metric.measure is not None:
        return actual.measure(metric.measure) is not None
    try:
        parts = parts_of(metric)
    except SqlglotError:
        # The rule on derived metrics reports the expression.
        return False
    return bool(parts) and all(part in found for part in parts)


def _filled(names: Names, metric: Names) -> Names:
    return Names(
        label={locale: _said(text, metric.label.get(locale, "")) for locale, text in names.label.items()},
        synonyms={locale: _synonyms(texts, locale, metric) for locale, texts in names.synonyms.items()},
        description={locale: _said(text, metric.label.get(locale, "")) for locale, text in names.description.items()},
    )


def _synonyms(texts: tuple[str, ...], locale: Locale, metric: Names) -> tuple[str, ...]:
    called = (metric.label.get(locale, ""), *metric.synonyms.get(locale, ()))
    return tuple(dict.fromkeys(_said(text, name) for text in texts for name in called if name))


def _said(text: str, name: str) -> str:
    """The name in its place, with a small first letter inside the text unless it is an abbreviation."""
    inside = not text.startswith("{metric}") and name[1:2].islower()
    return text.replace("{metric}", name[:1].lower() + name[1:] if inside else name)
