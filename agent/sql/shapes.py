"""What queries see and hand on while names are resolved."""

from dataclasses import dataclass, replace

from sqlglot import exp

from agent.sql.facts import Output, Relation
from agent.sql.names import Levels, folded
from semantic_catalog.model import Dialect


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What a query hands to whoever reads from it."""

    outputs: tuple[Output, ...]
    single_row: bool = False

    def opaque(self) -> "Shape":
        """The same columns, none of them a governed one handed on: conditions outside do not reach the rows inside."""
        return replace(self, outputs=tuple(replace(output, origin=None) for output in self.outputs))

    def renamed(self, alias: exp.Expr | None, dialect: Dialect) -> "Shape":
        """With the column names that an alias gives, as in `t(a, b)`."""
        names = [folded(column, dialect) for column in alias.columns] if isinstance(alias, exp.TableAlias) else []
        first = tuple(replace(output, name=name) for output, name in zip(self.outputs, names, strict=False))
        return replace(self, outputs=first + self.outputs[len(first) :])


@dataclass(frozen=True, slots=True, kw_only=True)
class Cte:
    """A named query of a WITH clause."""

    name: str
    shape: Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class Env:
    """What a query can see: CTEs, innermost last, and the relations of the queries around it, innermost first."""

    ctes: tuple[Cte, ...] = ()
    levels: Levels = ()

    def inside(self, relations: tuple[Relation, ...]) -> "Env":
        """What a query inside a block with these relations can see."""
        return replace(self, levels=(relations, *self.levels))

    def knowing(self, name: str, shape: Shape) -> "Env":
        """With one more CTE."""
        return replace(self, ctes=(*self.ctes, Cte(name=name, shape=shape)))

    def cte(self, name: str) -> Cte | None:
        """The innermost CTE of exactly that name."""
        return next((cte for cte in reversed(self.ctes) if cte.name == name), None)

    def is_doubtful(self, name: str) -> bool:
        """Whether a nearer CTE has the same name in another case, which some engines take for the same."""
        near = next((cte.name for cte in reversed(self.ctes) if cte.name.lower() == name.lower()), name)
        return near != name
