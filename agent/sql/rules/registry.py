"""All rules, in the order in which their findings are told."""

from agent.sql.rules import (
    ambiguity,
    cartesian,
    columns,
    constructs,
    functions,
    generated_rows,
    patterns,
    read_only,
    recursion,
    required_filter,
    required_join,
    row_limit,
    sources,
    text_growth,
    time_filter,
)
from agent.sql.rules.ask import Rule, StructureRule

STRUCTURE: tuple[StructureRule, ...] = (
    read_only.check,
    functions.check,
    constructs.check,
    recursion.check,
    generated_rows.check,
    text_growth.check,
    patterns.check,
)

RULES: tuple[Rule, ...] = (
    sources.check,
    columns.check,
    ambiguity.check,
    cartesian.check,
    time_filter.check,
    required_filter.check,
    required_join.check,
    row_limit.check,
)
