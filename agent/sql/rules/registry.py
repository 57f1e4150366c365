"""All rules, in the order in which their findings are told."""

from agent.sql.rules import (
    cartesian,
    columns,
    constructs,
    functions,
    generated_rows,
    grouping,
    patterns,
    read_only,
    recursion,
    required_filter,
    required_join,
    row_limit,
    size,
    sources,
    text_growth,
    time_filter,
    undecided,
)
from agent.sql.rules.ask import Rule, StructureRule

STRUCTURE: tuple[StructureRule, ...] = (
    size.check,
    read_only.check,
    functions.check,
    constructs.check,
    recursion.check,
    generated_rows.check,
    text_growth.check,
    patterns.check,
)

RULES: tuple[Rule, ...] = (
    undecided.check,
    sources.check,
    columns.check,
    cartesian.check,
    grouping.check,
    time_filter.check,
    required_filter.check,
    required_join.check,
    row_limit.check,
)
