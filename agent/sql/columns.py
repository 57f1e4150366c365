"""Columns of the text to what they stand for."""

from collections.abc import Iterator

from sqlglot import exp

from agent.sql.facts import OUTER, Binding, Output, Relation
from agent.sql.names import Candidate, Levels, candidates, folded, is_denied, is_shadowed
from agent.sql.notes import Notes
from semantic_catalog.model import Dialect


class ColumnReader:
    """Binds columns, and notes what they read and what they cannot be."""

    def __init__(self, notes: Notes, dialect: Dialect) -> None:
        self._notes = notes
        self._dialect = dialect

    def column(self, column: exp.Column, levels: Levels, aliases: frozenset[str] = frozenset()) -> None:
        """Note what `column` reads. `aliases` are the block's own output names, which some clauses may use."""
        found = candidates(column, levels, self._dialect)
        if is_denied(column, levels, self._dialect):
            self._notes.trouble("column", column.name)
        elif found:
            self._bind(column, found[0], levels)
            for candidate in found:
                self._notes.read(candidate.relation, candidate.output.name)
                self._notes.reach(candidate.relation.number)
        elif column.args.get("table") or column.name.lower() not in aliases:
            self._field(column, levels)
        elif not _is_sort_key(column):
            self._notes.screen(levels[0])

    def shared(self, name: str, relations: tuple[Relation, ...]) -> None:
        """Note a column that a join names for both its sides."""
        self.column(exp.column(exp.to_identifier(name)), (relations,))

    def star(self, star: exp.Expr, relations: tuple[Relation, ...]) -> Iterator[Output]:
        """The outputs that `*` or `t.*` stands for."""
        qualifier = folded(star.args["table"], self._dialect) if isinstance(star, exp.Column) else None
        taken = [r for r in relations if qualifier is None or r.alias.lower() == qualifier.lower()]
        node = star.this if isinstance(star, exp.Column) else star
        left_out = {name.name.lower() for name in node.args.get("except_") or ()}
        if not taken:
            self._notes.trouble("column", "*")
        for relation in taken:
            self._notes.take_whole(relation)
            yield from (output for output in relation.outputs if output.name.lower() not in left_out)

    def _bind(self, column: exp.Column, found: Candidate, levels: Levels) -> None:
        number = found.relation.number if found.level == 0 else OUTER
        self._notes.bind(column, Binding(relation=number, output=found.output, owner=found.relation.number))
        if found.level and not column.args.get("table"):
            if is_shadowed(found, levels) or not found.relation.alias:
                self._notes.trouble("construct", column.name)
            # Without the name an engine may find a column of an inner source that the catalog does not know.
            column.set("table", exp.to_identifier(found.relation.alias))

    def _field(self, column: exp.Column, levels: Levels) -> None:
        """`item.field` of a structured column reads that column; anything else is not ours to read."""
        holder = _holder(column)
        found = candidates(holder, levels, self._dialect) if holder else ()
        if holder is None or not found or not _is_structured(found[0].relation, holder.name):
            self._notes.trouble("column", column.name)
        else:
            self.column(holder, levels)


def _is_sort_key(column: exp.Column) -> bool:
    """A bare name in a query's own ORDER BY: every engine looks for it among the outputs first."""
    order = column.parent.parent if isinstance(column.parent, exp.Ordered) else None
    return isinstance(order, exp.Order) and isinstance(order.parent, exp.Select)


def _holder(column: exp.Column) -> exp.Column | None:
    names = [part.copy() for part in column.parts[:-1] if isinstance(part, exp.Identifier)]
    return exp.column(names[-1], table=names[-2] if len(names) > 1 else None) if names else None


def _is_structured(relation: Relation, name: str) -> bool:
    columns = relation.source.columns if relation.source else ()
    return any(c.name.lower() == name.lower() and c.type.lower().startswith("struct") for c in columns)
