"""Functions that make text longer say by how much, and do not feed one another."""

import re
from collections.abc import Iterator

from sqlglot import exp

from agent.sql.nesting import Inner, measured, own_parts
from agent.sql.rules.ask import refuse
from agent.values.governance import Finding, RuleId
from semantic_catalog.model import Dialect

MAX_LENGTH = 1_000
# How often longer a text may become on its way through all queries.
MAX_GROWTH = 2_000
# What is reckoned with where a text is put into another.
_UNWRITTEN = 30
_GROWING = (exp.Pad, exp.Repeat, exp.Replace, exp.RegexpReplace, exp.DPipe, exp.Concat, exp.Format, exp.Space)
_JOINING = (exp.DPipe, exp.Concat)
_SHORTENING = (exp.Left, exp.Right, exp.Substring)
_WIDTH = re.compile(r"\*|\d{4}")


def check(tree: exp.Expr, dialect: Dialect) -> Iterator[Finding]:  # noqa: ARG001 - every structure rule is called alike
    """Refuses text that grows by more than `MAX_LENGTH`, by an amount that is not written, or again and again."""
    growing = list(tree.find_all(*_GROWING))
    if any(_grows(node) for node in growing) or (
        growing and isinstance(tree, exp.Query) and measured(tree, _growth, stored=1) > MAX_GROWTH
    ):
        yield refuse(RuleId.TEXT_GROWTH, most=str(MAX_LENGTH), security=False)


def _grows(node: exp.Expr) -> bool:
    if isinstance(node, exp.Pad):
        return not _is_small(node.args.get("expression"))
    if isinstance(node, exp.Space):
        return not _is_small(node.this)
    if isinstance(node, exp.Format):
        return not isinstance(node.this, exp.Literal) or _WIDTH.search(node.this.name) is not None
    if isinstance(node, exp.Repeat):
        return (
            not _is_small(node.args.get("times"))
            or node.this.find(exp.Repeat, exp.Replace, exp.RegexpReplace) is not None
        )
    if isinstance(node, (exp.Replace, exp.RegexpReplace)):
        return _is_longer(node) and any(
            _is_longer(inner) for inner in node.this.find_all(exp.Replace, exp.RegexpReplace)
        )
    return not isinstance(node.parent, _JOINING) and _repeats_itself(node)


def _growth(query: exp.Query, inner: Inner) -> int:
    """How often longer than below it the longest text of a query may be: functions around one another multiply."""
    below = grown = 1
    stack = [(part, 1) for part in own_parts(query)]
    while stack:
        node, factor = stack.pop()
        if isinstance(node, (exp.Query, exp.Table)):
            below = max(below, inner(node))
        if isinstance(node, _GROWING):
            factor *= _factor(node)
            grown = max(grown, factor)
        if not isinstance(node, exp.Query):
            stack.extend((part, factor) for part in node.iter_expressions())
    return below * grown


def _factor(node: exp.Expr) -> int:
    if isinstance(node, exp.Repeat):
        times = node.args["times"]
        return max(1, int(times.name)) if _is_small(times) else _UNWRITTEN
    if isinstance(node, (exp.Replace, exp.RegexpReplace)):
        found, given = node.args.get("expression"), node.args.get("replacement")
        if not isinstance(given, exp.Literal):
            return _UNWRITTEN if given is not None else 1
        taken = len(found.name) if isinstance(found, exp.Literal) and isinstance(node, exp.Replace) else 1
        return max(1, -(-len(given.name) // max(1, taken)))
    if isinstance(node, (exp.Pad, exp.Space)) or isinstance(node.parent, _JOINING):
        return 1
    parts = node.expressions if isinstance(node, (exp.Concat, exp.Format)) else list(node.flatten())
    return max(1, sum(not isinstance(part, exp.Literal) for part in parts))


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
    """`x || x`, the way to double a text with every level of a query; a few letters of it are no second `x`."""
    columns = (column for column in node.find_all(exp.Column) if not isinstance(column.parent, _SHORTENING))
    parts = [column.sql() for column in columns]
    return len(parts) != len(set(parts))
