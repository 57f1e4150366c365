"""What 'budget', 'actual', 'variance' and 'attainment' are of: a metric beside them, else any line of the books."""

from collections.abc import Sequence

from semantic_catalog.model import DimensionName, Domain, Metric, MetricName, PlanView

_COMPARED: tuple[PlanView, ...] = ("budget", "variance", "attainment")
_SHOWN: tuple[PlanView, ...] = ("budget", "variance", "variance_pct", "attainment")
# A difference or a quotient says little without its two sides.
_SIDES: dict[PlanView, tuple[PlanView, ...]] = {
    "budget": ("budget",),
    "variance": _COMPARED,
    "variance_pct": ("budget", "variance", "variance_pct"),
    "attainment": _COMPARED,
}


def with_plan_views(
    names: Sequence[MetricName], context: Sequence[MetricName], domain: Domain, *, against: bool, differs: bool = False
) -> tuple[MetricName, ...]:
    """The metrics with their views of the plan.

    'Budget' alone beside 'revenue' is the revenue budget; `against` it ('revenue vs budget') brings every view, and so
    does a difference (`differs`) beside it. Without a metric beside it, it is said of `context`, the metrics talked
    about before.
    """
    metrics = [domain.metric(name) for name in names]
    lines = _any_line(domain)
    asked = _asked(metrics, lines)
    if not asked and not any(metric.view for metric in metrics):
        return tuple(names)
    own = _named_bases(metrics, lines)
    if own and any(metric.name in lines for metric in metrics):
        asked = {*asked, *(metric.view for metric in metrics if metric.view)}
    bases = own or _bases(context, domain, lines)
    if not asked:
        return _views(own, _COMPARED, domain) if differs and own else _with_sides(metrics, domain)
    if (against and asked <= {"budget"}) or differs:
        asked = {*asked, *_COMPARED}
    wanted = [view for view in _SHOWN if any(view in _SIDES[each] for each in asked)]
    return _views(bases or list(lines), wanted, domain)


def lines_of(
    metrics: tuple[MetricName, ...], dimensions: Sequence[DimensionName], domain: Domain
) -> tuple[MetricName, ...]:
    """The metrics that the members named imply: those of an account group are some amount of it, those of a plan's
    version some amount of the plan."""
    planned = tuple(_planned(name, dimensions, domain) for name in metrics)
    if planned:
        return planned
    lines = [metric for metric in domain.metrics if metric.needs_one_of]
    by_line = (m.name for m in lines if m.view is None and set(dimensions) & set(m.needs_one_of))
    of_plan = (m.name for m in lines if m.view == "budget" and set(dimensions) - _dimensions(m.view_of, domain))
    found = next(of_plan, None) or next(by_line, None)
    return (found,) if found else ()


def _planned(name: MetricName, dimensions: Sequence[DimensionName], domain: Domain) -> MetricName:
    """The metric's budget where only the plan knows one of the dimensions."""
    missing = set(dimensions) - _dimensions(name, domain)
    for view in domain.metrics:
        if view.view == "budget" and view.view_of == name and missing and missing <= _dimensions(view.name, domain):
            return view.name
    return name


def _dimensions(name: MetricName | None, domain: Domain) -> set[DimensionName]:
    known = domain.metric(name).dimensions if name else ()
    return {d.name for d in domain.dimensions} if known is None else set(known)


def generic_views(domain: Domain) -> frozenset[MetricName]:
    """The views of any line: what is meant by 'budget' where no metric is named."""
    lines = _any_line(domain)
    return frozenset(metric.name for metric in domain.metrics if metric.view and metric.view_of in lines)


def _named_bases(metrics: Sequence[Metric], lines: Sequence[MetricName]) -> list[MetricName]:
    """The metrics named, by themselves or through a view of their own."""
    names = [metric.view_of if metric.view else metric.name for metric in metrics]
    return [name for name in dict.fromkeys(names) if name and name not in lines]


def _any_line(domain: Domain) -> tuple[MetricName, ...]:
    return tuple(metric.name for metric in domain.metrics if metric.needs_one_of and metric.view is None)


def _asked(metrics: Sequence[Metric], lines: Sequence[MetricName]) -> set[PlanView]:
    return {metric.view for metric in metrics if metric.view and metric.view_of in lines}


def _bases(context: Sequence[MetricName], domain: Domain, lines: Sequence[MetricName]) -> list[MetricName]:
    found = [domain.metric(name) for name in context]
    return [metric.name for metric in found if metric.view is None or metric.name in lines]


def _with_sides(metrics: Sequence[Metric], domain: Domain) -> tuple[MetricName, ...]:
    """Named views of named metrics, with the sides of what compares them."""
    result: list[MetricName] = []
    for metric in metrics:
        sides = _SIDES[metric.view] if metric.view not in (None, "budget") else ()
        result += [metric.name, *(_views([metric.view_of], sides, domain) if metric.view_of and sides else ())]
    return tuple(dict.fromkeys(result))


def _views(bases: Sequence[MetricName], wanted: Sequence[PlanView], domain: Domain) -> tuple[MetricName, ...]:
    names: list[MetricName] = []
    for base in bases:
        own = {metric.view: metric.name for metric in domain.metrics if metric.view_of == base}
        names += [base, *(own[view] for view in wanted if view in own)]
    return tuple(dict.fromkeys(names))
