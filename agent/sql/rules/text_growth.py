"""Functions that make text longer say by how much, and do not feed one another."""

from collections.abc import Iterator

from sqlglot import exp

from agent.sql.rules.ask import refuse
from agent.values.governance import Finding, RuleId
from semantic_catalog.model import Dialect

MAX_LENGTH = 1_000


def check(tree: exp.Expr, dialect: Dialect) -> Iterator[Finding]:  # noqa: ARG001 - every structure rule is called alike
    """Refuses text that grows by more than `MAX_LENGTH`, by an amount that is not written, or again and again."""
    if any(
        _grows(node)
        for node in tree.find_all(exp.Pad, exp.Repeat, exp.Replace, exp.RegexpReplace, exp.DPipe, exp.Concat)
    ):
        yield refuse(RuleId.TEXT_GROWTH, most=str(MAX_LENGTH), security=False)


def _grows(node: exp.Expr) -> bool:
    if isinstance(node, exp.Pad):
        return not _is_small(node.args.get("expression"))
    if isinstance(node, exp.Repeat):
        return (
            not _is_small(node.args.get("times"))
            or node.this.find(exp.Repeat, exp.Replace, exp.RegexpReplace) is not None
        )
    if isinstance(node, (exp.Replace, exp.RegexpReplace)):
        return _is_longer(node) and any(
            _is_longer(inner) for inner in node.this.find_all(exp.Replace, exp.RegexpReplace)
        )
    return not isinstance(node.parent, (exp.DPipe, exp.Concat)) and _repeats_itself(node)


def _is_small(amount: object) -> bool:
    return isinstance(amount, exp.Literal) and amount.name.isdecimal() and int(amount.name) <= MAX_LENGTH


def _is_longer(node: exp.Expr) -> bool:
    """Whether what is put in may be longer than what is taken out."""
    found, given = node.args.get("expression"), node.args.get("replacement")
    if not isinstance(given, exp.Literal):
        return given is not None
    taken = len(found.name) if isinstance(found, exp.Literal) and isinstance(node, exp.Replace) else 1
    return len(given.name) > taken


def _repeats_itself(node: exp.Expr) -> bool:
    """`x || x`, the way to double a text with every level of a query."""
    parts = [column.sql() for column in node.find_all(exp.Column)]
    return len(parts) != len(set(parts))
