"""Not more sources, joins and columns than an honest question has, so that every other rule ends soon."""

from collections.abc import Iterator

from sqlglot import exp

from agent.sql.nesting import Inner, measured, own_nodes
from agent.sql.rules.ask import refuse
from agent.values.governance import Finding, RuleId
from semantic_catalog.model import Dialect

MAX_JOINS = 40
MAX_TABLES = 120
MAX_NODES = 20_000


def check(tree: exp.Expr, dialect: Dialect) -> Iterator[Finding]:  # noqa: ARG001 - every structure rule is called alike
    """Refuses queries with too many tables, joins in one block, or parts altogether.

    A named query counts as often as it is read: named queries that read one another twice double with every name.
    """
    tables, named = 0, False
    for count, node in enumerate(tree.walk()):
        tables += isinstance(node, exp.Table)
        named = named or isinstance(node, exp.With)
        joins = len(node.args.get("joins") or ()) if isinstance(node, (exp.Select, exp.Table)) else 0
        if joins > MAX_JOINS or tables > MAX_TABLES or count > MAX_NODES:
            yield refuse(RuleId.TOO_LARGE)
            return
    if named and isinstance(tree, exp.Query) and measured(tree, _reads, stored=1) > MAX_TABLES:
        yield refuse(RuleId.TOO_LARGE)


def _reads(query: exp.Query, inner: Inner) -> int:
    return sum(inner(node) for node in own_nodes(query) if isinstance(node, (exp.Query, exp.Table)))
