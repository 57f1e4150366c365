"""Not more sources, joins and columns than an honest question has, so that every other rule ends soon."""

from collections.abc import Iterator

from sqlglot import exp

from agent.sql.rules.ask import refuse
from agent.values.governance import Finding, RuleId
from semantic_catalog.model import Dialect

MAX_JOINS = 40
MAX_TABLES = 120
MAX_NODES = 20_000


def check(tree: exp.Expr, dialect: Dialect) -> Iterator[Finding]:  # noqa: ARG001 - every structure rule is called alike
    """Refuses queries with too many tables, joins in one block, or parts altogether."""
    tables = 0
    for count, node in enumerate(tree.walk()):
        tables += isinstance(node, exp.Table)
        joins = len(node.args.get("joins") or ()) if isinstance(node, (exp.Select, exp.Table)) else 0
        if joins > MAX_JOINS or tables > MAX_TABLES or count > MAX_NODES:
            yield refuse(RuleId.TOO_LARGE)
            return
