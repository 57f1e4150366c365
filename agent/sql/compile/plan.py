"""A question laid out for compilation: its slices, its sources, and what each result column holds."""

from dataclasses import dataclass, replace
from datetime import date

from agent.errors import SpecNotCompilable
from agent.sql.compile.leaves import is_additive, leaves_of, metric_of
from agent.sql.compile.relations import dimension_home
from agent.sql.compile.slices import Slice, slices_of
from agent.sql.compile.sources import Source, assign, demand_of, leaves_in, wanted_metrics
from agent.values.spec import QuerySpec
from semantic_catalog.model import DimensionName, Domain, Metric, MetricName


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is read from where. `measured` are the metrics to compute, those only sorted or filtered by included.

    In its `domain` only the sources that are read measure anything, so that a metric is what they make of it.
    """

    spec: QuerySpec
    domain: Domain
    slices: tuple[Slice, ...]
    sources: tuple[Source, ...]
    measured: tuple[MetricName, ...]

    @property
    def counted(self) -> DimensionName | None:
        """The dimension whose members are counted, when that is the question."""
        calculation = self.spec.calculation
        return calculation.over if calculation and calculation.kind == "count_members" else None

    @property
    def shown(self) -> tuple[str, ...]:
        """The result columns that hold what was asked for: the metrics, or the count of members."""
        return (f"{self.counted}_count",) if self.counted else self.spec.metrics

    @property
    def time_column(self) -> tuple[str, ...]:
        """The result's time column, named by its grain; none without a grain."""
        return (self.spec.grain,) if self.spec.grain else ()

    @property
    def keys(self) -> tuple[str, ...]:
        """The result columns that identify a row."""
        return (*self.time_column, *self.spec.dimensions)

    @property
    def labels(self) -> tuple[str, ...]:
        """The result columns that describe members, only where every source has them."""
        return tuple(label for name in self.spec.dimensions for label in self.label_of(name))

    def label_of(self, dimension: DimensionName) -> tuple[str, ...]:
        """The result column that describes the dimension's members, when every source has one."""
        homes = (dimension_home(source.entity, self.domain, dimension) for source in self.sources)
        described = all(home and home.mapping.label_column for home in homes)
        return (label_name(dimension),) if described else ()

    def metric(self, name: str) -> Metric:
        """The metric of a measured column."""
        return metric_of(self.domain, name)

    def is_additive(self, name: str) -> bool:
        """Whether the column's total is the sum of its rows. A count of members is not: members may repeat."""
        return self.counted is None and is_additive(self.metric(name), self.domain)

    def leaves(self, name: str) -> tuple[Metric, ...]:
        """The simple metrics behind a measured column."""
        return leaves_of(self.metric(name), self.domain)


def plan_of(spec: QuerySpec, domain: Domain, today: date) -> Plan:
    """The plan; raises `SpecNotCompilable` when no governed source can answer."""
    _check(spec)
    sources = assign(demand_of(spec, domain, today), domain)
    if not sources:
        wanted = ", ".join((*spec.metrics, *spec.dimensions, *(item.dimension for item in spec.filters)))
        raise SpecNotCompilable(f"no source of {domain.name} gives {wanted} by {spec.grain or 'no bucket'}")
    return Plan(
        spec=spec,
        domain=_as_read(domain, sources),
        slices=slices_of(spec),
        sources=sources,
        measured=_measured(spec, domain),
    )


def _as_read(domain: Domain, sources: tuple[Source, ...]) -> Domain:
    read = {source.entity.name for source in sources}
    return replace(domain, entities=tuple(e if e.name in read else replace(e, measures=()) for e in domain.entities))


def label_name(dimension: str) -> str:
    """The result column that describes the dimension's members."""
    return f"{dimension}_label"


def _measured(spec: QuerySpec, domain: Domain) -> tuple[MetricName, ...]:
    """The wanted metrics, with the parts of ratios where a window adds the parts up instead of the ratio."""
    wanted = wanted_metrics(spec, domain)
    windowed = spec.calculation is not None and spec.calculation.kind in ("running_total", "moving_average")
    parts = (leaf.name for leaf in leaves_in(wanted, domain)) if windowed else ()
    return tuple(dict.fromkeys((*wanted, *parts)))


def _check(spec: QuerySpec) -> None:
    calculation = spec.calculation
    counting = calculation is not None and calculation.kind == "count_members"
    if counting and (calculation is None or calculation.over is None):
        raise SpecNotCompilable("counting members needs the dimension that is counted")
    if not spec.metrics and not counting:
        raise SpecNotCompilable("a question needs a metric")
    over_time = ("growth", "delta", "running_total", "moving_average")
    if calculation and calculation.kind in over_time and spec.grain is None and spec.comparison is None:
        raise SpecNotCompilable(f"{calculation.kind} needs buckets of time or a comparison")
