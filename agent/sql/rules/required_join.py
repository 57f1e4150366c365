"""Amounts that mean nothing without another source, such as ledger amounts without the accounts' signs."""

from collections.abc import Iterator

from sqlglot import exp

from agent.sql.facts import Block, Facts, Reference
from agent.sql.rules.ask import Ask, refuse
from agent.sql.scope import JoinRule
from agent.values.governance import Finding, RuleId


def check(ask: Ask) -> Iterator[Finding]:
    """Refuses a read of the rule's columns whose block does not join the other source on the rule's column."""
    for reference in ask.facts.references:
        for rule in reference.source.required_joins:
            if _reads_one(reference, rule, ask.facts) and not _is_joined(reference, rule, ask.facts):
                yield refuse(
                    RuleId.REQUIRED_JOIN,
                    security=False,
                    source=reference.source.name,
                    other=rule.source,
                    column=rule.column,
                )


def _reads_one(reference: Reference, rule: JoinRule, facts: Facts) -> bool:
    wanted = {column.lower() for column in rule.columns}
    return any(read.reference == reference.number and read.column.lower() in wanted for read in facts.reads)


def _is_joined(reference: Reference, rule: JoinRule, facts: Facts) -> bool:
    block = next((b for b in facts.blocks if b.relation(reference.number)), None)
    if block is None:
        return False
    others = {r.number for r in facts.references if r.source.name == rule.source and block.relation(r.number)}
    return any(_equates(part, reference.number, others, rule.column, facts) for part in _parts(block)) or any(
        rule.column in join.shared for join in block.joins if others
    )


def _parts(block: Block) -> Iterator[exp.Expr]:
    where = block.select.args.get("where")
    conditions = [where.this] if where else []
    conditions += [join.on for join in block.joins if join.on is not None]
    for condition in conditions:
        yield from condition.flatten() if isinstance(condition, exp.And) else (condition,)


def _equates(part: exp.Expr, mine: int, others: set[int], column: str, facts: Facts) -> bool:
    sides = (
        [side for side in (part.left, part.right) if isinstance(side, exp.Column)] if isinstance(part, exp.EQ) else []
    )
    if len(sides) < 2 or any(side.name.lower() != column.lower() for side in sides):
        return False
    bound = {binding.relation for side in sides if (binding := facts.bound(side))}
    return mine in bound and bool(bound & others)
