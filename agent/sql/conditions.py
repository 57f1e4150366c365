"""The conditions that really limit the rows of one governed source, wherever in the query they stand."""

from collections.abc import Iterator

from sqlglot import exp

from agent.sql.facts import OUTER, Block, Facts, JoinFact, Reference


def conditions_on(reference: Reference, facts: Facts) -> Iterator[exp.Expr]:
    """WHERE of every block, and ON of every join that leaves out rows of the relation rather than pad them with NULL.

    A condition may name columns of several relations; the caller takes what speaks of the reference's.
    """
    for block in facts.blocks:
        where = block.select.args.get("where")
        if where:
            yield where.this
        for join in block.joins:
            if join.on is not None and _limits(join, _holders(block, reference)):
                yield join.on


def is_column_of(column: exp.Column, reference: Reference, name: str, facts: Facts) -> bool:
    """Whether `column` is the reference's governed column `name`, directly or handed on unchanged.

    Seen from inside a subquery it is not: what an EXISTS says about an outer row need not limit the outer rows.
    """
    binding = facts.bound(column)
    origin = binding.output.origin if binding and binding.relation != OUTER else None
    return origin is not None and origin.reference == reference.number and origin.column.lower() == name.lower()


def _holders(block: Block, reference: Reference) -> frozenset[int]:
    """The block's relations that hand on columns of the reference."""
    return frozenset(
        relation.number
        for relation in block.relations
        if any(output.origin and output.origin.reference == reference.number for output in relation.outputs)
    )


def _limits(join: JoinFact, holders: frozenset[int]) -> bool:
    if join.side == "FULL":
        return False
    if join.side == "LEFT" or join.kind in {"SEMI", "ANTI"}:
        return holders <= join.added
    if join.side == "RIGHT":
        return holders <= join.before
    return True
