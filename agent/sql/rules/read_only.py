"""One SELECT and nothing that writes, locks or sets, at any depth."""

from collections.abc import Iterator

from sqlglot import exp

from agent.sql.nodes import WRITES
from agent.sql.rules.ask import refuse
from agent.values.governance import Finding, RuleId
from semantic_catalog.model import Dialect


def check(tree: exp.Expr, dialect: Dialect) -> Iterator[Finding]:  # noqa: ARG001 - every structure rule is called alike
    """Refuses statements that are no query, and queries that hold a write."""
    if not isinstance(tree, exp.Query) or any(isinstance(node, WRITES) for node in tree.walk()):
        yield refuse(RuleId.READ_ONLY)
