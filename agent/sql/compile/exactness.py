"""Whether dividing a metric keeps its digits by itself, so that the SQL need not force it to."""

import re

import sqlglot
from sqlglot import exp

from agent.sql.compile.relations import column_home
from semantic_catalog.model import Domain, Entity, Measure, Metric

_INEXACT = ("double", "real", "float")
# MySQL gives a quotient four digits more than its dividend has; of hundredths that is enough for a percentage.
_SCALE_IN_MYSQL = 2


def keeps_digits(leaves: tuple[Metric, ...], domain: Domain) -> bool:
    """Whether a quotient with these simple metrics above the line has digits after the point without any help."""
    if domain.dialect == "duckdb":
        return True
    measured = [
        (entity, measure)
        for leaf in leaves
        for entity in domain.entities
        if leaf.measure and (measure := entity.measure(leaf.measure))
    ]
    return bool(measured) and all(_is_exact(measure, entity, domain) for entity, measure in measured)


def _is_exact(measure: Measure, entity: Entity, domain: Domain) -> bool:
    if measure.aggregation == "avg":
        return True
    if measure.aggregation.startswith("count"):
        return False
    types = [_type(name, entity, domain) for name in _columns(measure, domain)]
    if domain.dialect == "mysql":
        return any(kind.startswith(_INEXACT) or _scale(kind) >= _SCALE_IN_MYSQL for kind in types)
    # PostgreSQL adds up bigints as numeric.
    sums_bigints = measure.aggregation == "sum" and "bigint" in types
    return sums_bigints or any(kind.startswith((*_INEXACT, "numeric", "decimal")) for kind in types)


def _columns(measure: Measure, domain: Domain) -> list[str]:
    tree = sqlglot.parse_one(measure.expression, dialect=domain.dialect)
    return [column.name for column in tree.find_all(exp.Column)]


def _type(column: str, entity: Entity, domain: Domain) -> str:
    home = column_home(entity, domain, column)
    columns = home.entity.columns if home else ()
    return next((own.type for own in columns if own.name == column), "")


def _scale(kind: str) -> int:
    found = re.fullmatch(r"(?:decimal|numeric)\(\d+, ?(\d+)\)", kind)
    return int(found[1]) if found else 0
