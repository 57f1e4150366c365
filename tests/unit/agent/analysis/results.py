"""Results and specs of the payments domain as the compiler would produce them."""

from datetime import date
from decimal import Decimal
from functools import cache

from agent.values.result import Cell, ResultColumn, ResultTable
from agent.values.spec import Calculation, CalculationKind, Comparison, OrderBy, Period, QuerySpec
from semantic_catalog.load import load_catalog
from semantic_catalog.model import DimensionName, Domain, DomainName, Locale, MetricName, TimeGrain

ZONE = "America/Lima"
WEEK = Period(start=date(2026, 10, 25), end=date(2026, 10, 31), timezone=ZONE, words="last_7_days")
WEEK_BEFORE = Period(start=date(2026, 10, 18), end=date(2026, 10, 24), timezone=ZONE)
YEAR = Period(start=date(2025, 11, 1), end=date(2026, 10, 31), timezone=ZONE)
TODAY = date(2026, 11, 1)
LATEST = date(2026, 10, 31)


@cache
def payments() -> Domain:
    return load_catalog().domain(DomainName("payments"))


def spec(
    *metrics: str,
    by: tuple[str, ...] = (),
    grain: TimeGrain | None = None,
    period: Period | None = WEEK,
    before: Period | None = None,
    limit: int | None = None,
    descending: bool = True,
    calculation: CalculationKind | None = None,
) -> QuerySpec:
    return QuerySpec(
        domain=DomainName("payments"),
        metrics=tuple(MetricName(name) for name in metrics),
        dimensions=tuple(DimensionName(name) for name in by),
        grain=grain,
        period=period,
        comparison=Comparison(kind="previous_period", period=before) if before else None,
        limit=limit,
        order=(OrderBy(by=metrics[0], descending=descending),) if limit else (),
        calculation=Calculation(kind=calculation) if calculation else None,
    )


def table(columns: tuple[ResultColumn, ...], *rows: tuple[Cell, ...]) -> ResultTable:
    return ResultTable(columns=columns, rows=tuple(tuple(_exact(cell) for cell in row) for row in rows))


def time(grain: TimeGrain) -> ResultColumn:
    return ResultColumn(name=grain, label=grain.title(), role="time", type="date", grain=grain, reference="time")


def dimension(name: str, locale: Locale = "en") -> ResultColumn:
    label = payments().dimension(DimensionName(name)).names.in_locale(locale)
    return ResultColumn(name=name, label=label, role="dimension", type="text", reference=name)


def description(name: str, label: str) -> ResultColumn:
    return ResultColumn(name=f"{name}_label", label=label, role="label", type="text", reference=name)


def metric(name: str, locale: Locale = "en") -> ResultColumn:
    known = payments().metric(MetricName(name))
    return ResultColumn(
        name=name,
        label=known.names.in_locale(locale),
        role="metric",
        type="integer" if known.format == "count" else "decimal",
        format=known.format,
        unit=known.unit,
        reference=name,
    )


def compared(name: str, locale: Locale = "en") -> tuple[ResultColumn, ...]:
    now = metric(name, locale)
    is_rate = now.format == "percent"
    before = ResultColumn(
        name=f"{name}_previous", label=f"{now.label}, before", role="metric", type=now.type, format=now.format,
        unit=now.unit, reference=name,
    )  # fmt: skip
    change = ResultColumn(
        name=f"{name}_change", label="Change", role="change", type="decimal", format=now.format, unit=now.unit,
        points=is_rate, reference=name,
    )  # fmt: skip
    relative = ResultColumn(
        name=f"{name}_change_pct", label="Change, %", role="change", type="decimal", format="percent", reference=name
    )
    return (now, before, change, relative)


def share(name: str, locale: Locale = "en") -> ResultColumn:
    label = f"{metric(name, locale).label}, %"
    return ResultColumn(
        name=f"{name}_share", label=label, role="metric", type="decimal", format="percent", reference=name
    )


def _exact(cell: Cell) -> Cell:
    return Decimal(str(cell)) if isinstance(cell, float) else cell
