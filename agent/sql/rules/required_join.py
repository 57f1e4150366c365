"""Amounts that mean nothing without another source, such as ledger amounts without the accounts' signs."""

from collections.abc import Iterator

from sqlglot import exp

from agent.sql.facts import OUTER, Block, Facts, Origin, Output, Reference, Relation
from agent.sql.rules.ask import Ask, refuse
from agent.sql.scope import JoinRule
from agent.values.governance import Finding, RuleId


def check(ask: Ask) -> Iterator[Finding]:
    """Refuses a use of the rule's columns in a block that does not join the other source on the rule's column.

    A subquery may hand the columns on as they are, for a block around it to use.
    """
    for reference in ask.facts.references:
        for rule in reference.source.required_joins:
            if not all(_is_joined(block, reference, rule, ask.facts) for block in _users(reference, rule, ask.facts)):
                yield refuse(
                    RuleId.REQUIRED_JOIN,
                    security=False,
                    source=reference.source.name,
                    other=rule.source,
                    column=rule.column,
                )


def _users(reference: Reference, rule: JoinRule, facts: Facts) -> Iterator[Block]:
    """The blocks that compute with one of the rule's columns, or show it."""
    wanted = {column.lower() for column in rule.columns}
    for block in facts.blocks:
        takes_all = reference.whole and block.relation(reference.number)
        kept = takes_all and not all(_hands_on(block.select, reference, column, facts) for column in wanted)
        if kept or any(_uses(column, reference, wanted, facts) for column in _columns(block.select)):
            yield block


def _columns(select: exp.Select) -> Iterator[exp.Column]:
    """The columns that the block itself writes, not those of the queries in it."""
    for node in select.walk(prune=lambda node: isinstance(node, exp.Query) and node is not select):
        if isinstance(node, exp.Column):
            yield node


def _uses(column: exp.Column, reference: Reference, wanted: set[str], facts: Facts) -> bool:
    binding = facts.bound(column)
    origin = binding.output.origin if binding else None
    if origin is None or origin.reference != reference.number or origin.column.lower() not in wanted:
        return False
    item = column.parent if isinstance(column.parent, exp.Alias) else column
    if item.arg_key != "expressions" or not isinstance(item.parent, exp.Select):
        return True
    return not _hands_on(item.parent, reference, origin.column, facts)


def _hands_on(select: exp.Select, reference: Reference, column: str, facts: Facts) -> bool:
    """Whether a block around this one reads from it as from a table, and finds the column there as it was."""
    around = select.parent
    if not isinstance(around.parent if isinstance(around, exp.Subquery) else around, (exp.CTE, exp.From, exp.Join)):
        return False
    outputs = (output for block in facts.blocks for relation in block.relations for output in _handed(relation))
    wanted = (reference.number, column.lower())
    return any(
        output.origin and (output.origin.reference, output.origin.column.lower()) == wanted for output in outputs
    )


def _handed(relation: Relation) -> tuple[Output, ...]:
    return () if relation.source else relation.outputs


def _is_joined(block: Block, reference: Reference, rule: JoinRule, facts: Facts) -> bool:
    others = {other.number for other in facts.references if other.source.name == rule.source}
    if any(_equates(part, reference, others, rule.column, facts) for part in _parts(block)):
        return True
    both = block.relation(reference.number) and any(block.relation(other) for other in others)
    return bool(both) and any(rule.column in join.shared for join in block.joins)


def _parts(block: Block) -> Iterator[exp.Expr]:
    where = block.select.args.get("where")
    conditions = [where.this] if where else []
    conditions += [join.on for join in block.joins if join.on is not None]
    for condition in conditions:
        yield from condition.flatten() if isinstance(condition, exp.And) else (condition,)


def _equates(part: exp.Expr, reference: Reference, others: set[int], column: str, facts: Facts) -> bool:
    """Whether the condition says that the column of both is equal, read directly or handed on by a subquery."""
    if isinstance(part, exp.Paren):
        return _equates(part.this, reference, others, column, facts)
    if not isinstance(part, exp.EQ):
        return False
    origins = [_origin(side, facts) for side in (part.left, part.right)]
    found = {origin.reference for origin in origins if origin and origin.column.lower() == column.lower()}
    return reference.number in found and bool(found & others)


def _origin(side: exp.Expr, facts: Facts) -> Origin | None:
    binding = facts.bound(side) if isinstance(side, exp.Column) else None
    return binding.output.origin if binding and binding.relation != OUTER else None
