"""Only tree nodes that the guard knows, and of those only the parts whose reads it resolves."""

from collections.abc import Iterator

from sqlglot import exp

from agent.sql.nodes import PARTS, PLAIN, TYPES
from agent.sql.rules.ask import refuse
from agent.values.governance import Finding, RuleId
from semantic_catalog.model import Dialect

# A SELECT or a GROUP BY has at least one of these.
_CONTENT = ("expressions", "grouping_sets", "cube", "rollup", "all")
_JOIN_WORDS = {
    "side": {"", "LEFT", "RIGHT", "FULL"},
    "kind": {"", "INNER", "OUTER", "CROSS", "SEMI", "ANTI"},
    "method": {"", "NATURAL", "ASOF"},
}


def check(tree: exp.Expr, dialect: Dialect) -> Iterator[Finding]:  # noqa: ARG001 - every structure rule is called alike
    """Refuses the first node, part, type or join word that is not on the list."""
    for node in tree.walk():
        unknown = _unknown(node)
        if unknown:
            yield refuse(RuleId.UNKNOWN_CONSTRUCT, construct=unknown)
            return


def _unknown(node: exp.Expr) -> str:
    parts = PARTS.get(type(node))
    if parts is not None:
        extra = next((part for part, value in node.args.items() if value and part not in parts), "")
        return f"{_said(node)} {extra}".strip() if extra else _wrong_word(node)
    if isinstance(node, exp.Func) or type(node) in PLAIN:
        return ""
    return _said(node)


def _wrong_word(node: exp.Expr) -> str:
    if isinstance(node, (exp.Select, exp.Group)) and not any(node.args.get(part) for part in _CONTENT):
        return _said(node)
    if isinstance(node, exp.Join):
        return next(
            (node.text(part) for part, words in _JOIN_WORDS.items() if node.text(part).upper() not in words), ""
        )
    if isinstance(node, exp.DataType) and node.this not in TYPES:
        return str(getattr(node.this, "value", node.this))
    return ""


def _said(node: exp.Expr) -> str:
    return type(node).__name__.upper()
