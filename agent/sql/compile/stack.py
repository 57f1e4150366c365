"""Aggregates side by side on their shared keys.

Entities and slices never meet row by row: each is aggregated to the keys first, so no join can multiply a number, and
a member that only one of them knows keeps its row.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlglot import exp

from agent.sql.compile.leaves import named
from agent.sql.compile.plan import Plan

Cte = tuple[str, exp.Query]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A select of keys, labels and measured columns, and the CTEs it needs.

    `values` gives each measured column as an expression that HAVING may use: it refers to no alias.
    """

    ctes: tuple[Cte, ...]
    select: exp.Select
    values: Mapping[str, exp.Expr]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """One aggregate of a stack, under the name of its CTE."""

    name: str
    measured: Measured

    @property
    def columns(self) -> tuple[str, ...]:
        """The measured columns that this layer brings."""
        return tuple(self.measured.values)


def stacked(name: str, plan: Plan, layers: list[Layer]) -> Measured:
    """The layers' columns side by side by key. Each column has at most one value a key, which MAX picks.

    Keys are matched by grouping and not by a join, so NULL members meet too and no engine needs a full join.
    """
    columns = tuple(column for layer in layers for column in layer.columns)
    ctes = tuple(cte for layer in layers for cte in (*layer.measured.ctes, (layer.name, layer.measured.select)))
    union = exp.union(*(_arm(layer, key_names(plan), columns) for layer in layers), distinct=False)
    values: dict[str, exp.Expr] = {column: exp.Max(this=exp.column(column)) for column in columns}
    keys: dict[str, exp.Expr] = {
        key: exp.Max(this=exp.column(key)) if key in plan.labels else exp.column(key) for key in key_names(plan)
    }
    select = exp.select(*(named(value, column) for column, value in (*keys.items(), *values.items()))).from_(name)
    by = (exp.column(key) for key in plan.keys)
    return Measured(ctes=(*ctes, (name, union)), select=select.group_by(*by), values=values)


def key_names(plan: Plan) -> tuple[str, ...]:
    """The key columns in the order of the result, each dimension with its description."""
    return (*plan.time_column, *(name for key in plan.spec.dimensions for name in (key, *plan.label_of(key))))


def _arm(layer: Layer, keys: tuple[str, ...], columns: tuple[str, ...]) -> exp.Select:
    filled = (exp.column(c) if c in layer.columns else exp.alias_(_unknown(), c) for c in columns)
    return exp.select(*map(exp.column, keys), *filled).from_(layer.name)


def _unknown() -> exp.Expr:
    # Typed, because a column of bare NULLs in the first two arms would become text.
    return exp.cast(exp.null(), "decimal")
