"""Business rules that every read of a source repeats, such as the approved version of a plan."""

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
            if not _is_filtered(reference, rule, ask):
                yield refuse(
                    RuleId.REQUIRED_FILTER,
                    security=False,
                    source=reference.source.name,
                    column=rule.column,
                    value=str(rule.value),
                )


def _is_filtered(reference: Reference, rule: FilterRule, ask: Ask) -> bool:
    wanted = str(rule.value) if ask.origin == "model" else None
    return any(
        _names_value(part, reference, rule.column, wanted, ask.facts)
        for condition in conditions_on(reference, ask.facts)
        for part in (condition.flatten() if isinstance(condition, exp.And) else (condition,))
    )


def _names_value(part: exp.Expr, reference: Reference, column: str, wanted: str | None, facts: Facts) -> bool:
    if isinstance(part, exp.Paren):
        return _names_value(part.this, reference, column, wanted, facts)
    if not isinstance(part, exp.EQ):
        return False
    for subject, value in ((part.left, part.right), (part.right, part.left)):
        if isinstance(subject, exp.Column) and is_column_of(subject, reference, column, facts):
            return isinstance(value, (exp.Literal, exp.Boolean)) and wanted in {None, value.name}
    return False
