"""What is known of a query once its names are resolved. Built by `agent/sql/resolve.py`, read by the rules."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from sqlglot import exp

from agent.sql.scope import GovernedSource

TroubleKind = Literal["source", "system", "column", "construct", "size"]
# The relation number of every column that belongs to an enclosing query.
OUTER = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """One mention of a governed source. `number` is its relation's; `whole` when all its columns are taken."""

    number: int
    source: GovernedSource
    table: exp.Table
    alias: str
    whole: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """The governed column that an output passes on unchanged."""

    reference: int
    column: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """One column of a relation. `joins` is False where equal values say nothing, as for constants."""

    name: str
    origin: Origin | None = None
    joins: bool = True


@dataclass(frozen=True, kw_only=True)
class Relation:
    """One item of a FROM clause, as the block that reads it sees it.

    `near` are the siblings it depends on; `lateral` is the query that it runs for each of their rows.
    """

    number: int
    alias: str
    outputs: tuple[Output, ...]
    source: GovernedSource | None = None
    single_row: bool = False
    near: frozenset[int] = frozenset()
    lateral: exp.Query | None = None

    def outputs_named(self, name: str) -> tuple[Output, ...]:
        """The outputs of that name, one for each way its case is written; no engine reads a second of the same."""
        return self._by_name.get(name.lower(), ())

    @cached_property
    def _by_name(self) -> Mapping[str, tuple[Output, ...]]:
        found: dict[str, dict[str, Output]] = {}
        for output in self.outputs:
            found.setdefault(output.name.lower(), {}).setdefault(output.name, output)
        return {name: tuple(outputs.values()) for name, outputs in found.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinFact:
    """One join of a block: what stood before, what it adds, and on which condition."""

    before: frozenset[int]
    added: frozenset[int]
    side: str
    kind: str
    method: str
    on: exp.Expr | None
    shared: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One SELECT with what it reads from."""

    select: exp.Select
    relations: tuple[Relation, ...]
    joins: tuple[JoinFact, ...]

    def relation(self, number: int) -> Relation | None:
        """The block's relation of that number."""
        return next((relation for relation in self.relations if relation.number == number), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """What a column of the text stands for: an output of a relation, seen from the block that wrote it.

    `relation` is `OUTER` for those of an enclosing query; `owner` is the relation's number wherever it stands.
    """

    relation: int
    output: Output
    owner: int = OUTER


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnRead:
    """A governed column that the query reads, whatever for."""

    reference: int
    source: str
    column: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """Something that could not be resolved, or must not be."""

    kind: TroubleKind
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """A whole query, resolved. `bindings` are by `id` of the column node, which lives as long as `tree`."""

    tree: exp.Query
    references: tuple[Reference, ...]
    blocks: tuple[Block, ...]
    bindings: Mapping[int, Binding]
    reads: tuple[ColumnRead, ...]
    troubles: tuple[Trouble, ...]

    def reference(self, number: int) -> Reference | None:
        """The reference whose relation has that number."""
        return next((reference for reference in self.references if reference.number == number), None)

    def bound(self, column: exp.Column) -> Binding | None:
        """What a column node stands for."""
        return self.bindings.get(id(column))
