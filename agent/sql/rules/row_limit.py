"""A limit that can be capped: a written number, no ties, and no far offset."""

from collections.abc import Iterator

from sqlglot import exp

from agent.sql.rules.ask import Ask, refuse
from agent.values.governance import Finding, RuleId

MAX_OFFSET = 10_000


def check(ask: Ask) -> Iterator[Finding]:
    """Refuses limits that are computed and offsets beyond `MAX_OFFSET`, in any block; large limits are capped later."""
    for node in ask.facts.tree.find_all(exp.Limit, exp.Fetch):
        amount = node.args.get("count") if isinstance(node, exp.Fetch) else node.args.get("expression")
        if not _is_number(amount):
            yield refuse(RuleId.ROW_LIMIT, security=False, most=str(ask.scope.row_limit))
    for node in ask.facts.tree.find_all(exp.Offset):
        if not _is_number(node.expression) or int(node.expression.name) > MAX_OFFSET:
            yield refuse(RuleId.ROW_LIMIT, security=False, most=str(ask.scope.row_limit))


def _is_number(amount: object) -> bool:
    return isinstance(amount, exp.Literal) and amount.name.isdecimal() and len(amount.name) <= 20
