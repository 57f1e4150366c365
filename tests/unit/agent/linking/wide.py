"""A catalog as wide as a big company's: many tables of many columns."""

from functools import cache

from semantic_catalog.model import (
    Catalog,
    CatalogVersion,
    Column,
    Dimension,
    DimensionName,
    Domain,
    DomainName,
    Entity,
    EntityDimension,
    EntityName,
    Measure,
    MeasureName,
    Metric,
    MetricName,
    Names,
    Relationship,
)

WIDE = DomainName("wide")
SUBJECTS = ("order", "invoice", "shipment", "payroll", "ticket", "visit", "claim", "loan", "lease", "audit")


@cache
def wide_catalog(tables: int = 1_000, columns: int = 20) -> Catalog:
    """`tables` tables; table 0 … named by subject and number, each with a metric of its own."""
    entities = tuple(_entity(number, columns) for number in range(tables))
    domain = Domain(
        name=WIDE,
        names=Names(label={"en": "Wide"}),
        warehouse="wide",
        dialect="postgres",
        timezone="UTC",
        owner="wide",
        locale="en",
        entities=entities,
        dimensions=(Dimension(name=DimensionName("branch"), names=Names(label={"en": "Branch", "ru": "Филиал"})),),
        metrics=tuple(_metric(number) for number in range(tables)),
        relationships=tuple(
            Relationship(left=entities[place].name, right=entities[place + 1].name, on=(("branch", "branch"),))
            for place in range(tables - 1)
        ),
    )
    return Catalog(version=CatalogVersion(f"wide-{tables}"), domains=(domain,))


def _entity(number: int, columns: int) -> Entity:
    subject = SUBJECTS[number % len(SUBJECTS)]
    own = tuple(Column(name=f"{subject}_field_{place}_{number}", type="numeric") for place in range(columns - 1))
    return Entity(
        name=EntityName(f"{subject}_{number}"),
        source=f"dwh.{subject}_{number}",
        names=Names(label={"en": f"{subject.title()} facts {number}"}),
        grain=("branch",),
        columns=(Column(name="branch", type="text"), *own),
        dimensions=(EntityDimension(dimension=DimensionName("branch"), column="branch"),),
        measures=(Measure(name=MeasureName(f"m_{number}"), expression=own[0].name, aggregation="sum"),),
    )


def _metric(number: int) -> Metric:
    subject = SUBJECTS[number % len(SUBJECTS)]
    return Metric(
        name=MetricName(f"{subject}_total_{number}"),
        names=Names(label={"en": f"{subject.title()} total {number}"}),
        kind="simple",
        format="amount",
        measure=MeasureName(f"m_{number}"),
    )
