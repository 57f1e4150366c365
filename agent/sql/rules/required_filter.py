"""Business rules that every read of a source, or of some of its columns, repeats: the approved version, no blanks."""

from collections.abc import Iterator

from sqlglot import exp

from agent.sql.conditions import conditions_on, is_column_of
from agent.sql.facts import Facts, Reference
from agent.sql.rules.ask import Ask, refuse
from agent.sql.scope import FilterRule
from agent.values.governance import Finding, RuleId


def check(ask: Ask) -> Iterator[Finding]:
    """Refuses a read without the filter. Only a model is held to the very value: a person may name another."""
    for reference in ask.facts.references:
        for rule in reference.source.required_filters:
            if _applies(reference, rule, ask.facts) and not _is_kept(reference, rule, ask):
                yield refuse(
                    RuleId.REQUIRED_FILTER,
                    security=False,
                    source=reference.source.name,
                    column=rule.column,
                    value=str(rule.value),
                )


def _applies(reference: Reference, rule: FilterRule, facts: Facts) -> bool:
    if not rule.when_columns:
        return True
    return any(read.reference == reference.number and _is_when(read.column, rule) for read in facts.reads)


def _is_when(column: str, rule: FilterRule) -> bool:
    return column.lower() in {name.lower() for name in rule.when_columns}


def _is_kept(reference: Reference, rule: FilterRule, ask: Ask) -> bool:
    wanted = str(rule.value) if ask.origin == "model" else None
    conditions = conditions_on(reference, ask.facts)
    if any(_says(condition, reference, rule.column, wanted, ask.facts) for condition in conditions):
        return True
    return bool(rule.when_columns) and _is_kept_by_each_read(reference, rule, wanted, ask.facts)


def _is_kept_by_each_read(reference: Reference, rule: FilterRule, wanted: str | None, facts: Facts) -> bool:
    """Whether every mention of the rule's columns stands under a CASE branch or a FILTER that says it."""
    joined = any(_is_when(name, rule) for block in facts.blocks for join in block.joins for name in join.shared)
    if reference.whole or joined:
        return False
    return all(
        any(_says(condition, reference, rule.column, wanted, facts) for condition in _conditions_over(column))
        for column in facts.tree.find_all(exp.Column)
        if _reads(column, reference, rule, facts)
    )


def _reads(column: exp.Column, reference: Reference, rule: FilterRule, facts: Facts) -> bool:
    binding = facts.bound(column)
    origin = binding.output.origin if binding else None
    return origin is not None and origin.reference == reference.number and _is_when(origin.column, rule)


def _conditions_over(column: exp.Column) -> Iterator[exp.Expr]:
    """What must hold of a row for the column to be computed on, as far as its own SELECT says inside expressions."""
    node: exp.Expr = column
    while node.parent is not None and not isinstance(node, exp.Query):
        parent, part = node.parent, node.arg_key
        if isinstance(parent, exp.If) and part in {"this", "true"}:
            yield parent.this
        if isinstance(parent, exp.Filter) and part == "this":
            yield parent.expression.this
        node = parent


def _says(condition: exp.Expr, reference: Reference, column: str, wanted: str | None, facts: Facts) -> bool:
    """Whether the condition holds only where the column has one of the values it names, which are the wanted one."""
    if isinstance(condition, exp.Paren):
        return _says(condition.this, reference, column, wanted, facts)
    if isinstance(condition, exp.And):
        return any(_says(part, reference, column, wanted, facts) for part in condition.flatten())
    return any(
        isinstance(subject, exp.Column)
        and is_column_of(subject, reference, column, facts)
        and all(_is_literal(value) and wanted in {None, value.name} for value in values)
        for subject, values in _comparisons(condition)
    )


def _comparisons(condition: exp.Expr) -> Iterator[tuple[exp.Expr, list[exp.Expr]]]:
    if isinstance(condition, exp.EQ):
        yield condition.left, [condition.right]
        yield condition.right, [condition.left]
    elif isinstance(condition, exp.In) and condition.expressions:
        yield condition.this, condition.expressions


def _is_literal(value: exp.Expr) -> bool:
    return isinstance(value, (exp.Literal, exp.Boolean))
