"""What each result column holds and how it is called in the asker's language."""

from dataclasses import replace
from typing import Literal

from agent.sql.compile.derive import DerivedColumn, is_percent
from agent.sql.compile.plan import Plan
from agent.sql.compile.rows import dimension_type
from agent.sql.compile.slices import window_of
from agent.values.result import ResultColumn
from agent.wording.dates import period_label
from agent.wording.texts import say
from semantic_catalog.model import DimensionName, Locale


def result_columns(plan: Plan, derived: tuple[DerivedColumn, ...], locale: Locale) -> tuple[ResultColumn, ...]:
    """The columns in order: time, dimensions with their descriptions, then each metric with what is added to it."""
    columns = [*_time_column(plan, locale), *_dimension_columns(plan, locale)]
    for base in plan.shown:
        shown = _shown_column(plan, base, locale)
        columns += [shown, *(_derived_column(plan, shown, item, locale) for item in derived if item.base == base)]
    return tuple(columns)


def _time_column(plan: Plan, locale: Locale) -> list[ResultColumn]:
    grain = plan.spec.grain
    if grain is None:
        return []
    label = say(locale, f"column.{grain}")
    return [ResultColumn(name=grain, label=label, role="time", type="date", grain=grain, reference="time")]


def _dimension_columns(plan: Plan, locale: Locale) -> list[ResultColumn]:
    columns = []
    for name in plan.spec.dimensions:
        label = plan.domain.dimension(name).names.in_locale(locale)
        kind = _member_type(plan, name)
        columns.append(ResultColumn(name=name, label=label, role="dimension", type=kind, reference=name))
        for described in plan.label_of(name):
            text = say(locale, "column.description", dimension=label)
            columns.append(replace(columns[-1], name=described, label=text, role="label", type="text"))
    return columns


def _member_type(plan: Plan, name: DimensionName) -> Literal["boolean", "integer", "text"]:
    sql_type = dimension_type(plan.sources[0].entity, plan.domain, name)
    if sql_type.startswith("bool"):
        return "boolean"
    return "integer" if "int" in sql_type else "text"


def _shown_column(plan: Plan, base: str, locale: Locale) -> ResultColumn:
    if plan.counted:
        dimension = plan.domain.dimension(plan.counted).names.in_locale(locale)
        label = say(locale, "column.count", dimension=dimension)
        return ResultColumn(
            name=base, label=label, role="metric", type="integer", format="count", reference=plan.counted
        )
    metric = plan.metric(base)
    return ResultColumn(
        name=base,
        label=metric.names.in_locale(locale),
        role="metric",
        type="integer" if metric.format == "count" else "decimal",
        format=metric.format,
        unit=metric.unit,
        reference=base,
    )


def _derived_column(plan: Plan, shown: ResultColumn, item: DerivedColumn, locale: Locale) -> ResultColumn:
    named = replace(shown, name=item.name, label=_derived_label(plan, shown, item, locale))
    match item.kind:
        case "previous" | "running_total":
            return named
        case "change":
            return replace(named, role="change", points=is_percent(plan, item.base))
        case "change_pct":
            return replace(named, role="change", type="decimal", format="percent", unit=None)
        case "share":
            return replace(named, type="decimal", format="percent", unit=None)
        case "rank":
            return replace(named, role="other", type="integer", format="count", unit=None)
        case "moving_average":
            return replace(named, type="decimal", format="decimal" if shown.format == "count" else shown.format)


def _derived_label(plan: Plan, shown: ResultColumn, item: DerivedColumn, locale: Locale) -> str:
    comparison = plan.spec.comparison
    if item.kind == "previous" and comparison:
        return say(locale, "column.previous", metric=shown.label, period=period_label(comparison.period, locale))
    if item.kind == "moving_average":
        buckets = say(locale, f"column.span_{plan.spec.grain}", count=window_of(plan.spec))
        return say(locale, "column.moving_average", metric=shown.label, span=buckets)
    return say(locale, f"column.{item.kind}", metric=shown.label)
