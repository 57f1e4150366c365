"""Only functions of the dialect's list, wherever they stand: in a SELECT list, a filter or a FROM clause."""

from collections.abc import Iterator

from sqlglot import exp

from agent.sql.functions import BY_NAME, KNOWN
from agent.sql.rules.ask import refuse
from agent.values.governance import Finding, RuleId
from semantic_catalog.model import Dialect


def check(tree: exp.Expr, dialect: Dialect) -> Iterator[Finding]:
    """Refuses the first call of a function that is not on the list."""
    for node in tree.find_all(exp.Func):
        if type(node) is exp.Anonymous:
            known = node.name.lower() in BY_NAME[dialect] and not isinstance(node.parent, exp.Dot)
        else:
            known = type(node) in KNOWN
        if not known:
            yield refuse(RuleId.FUNCTION_NOT_ALLOWED, function=(node.name if _is_anonymous(node) else node.sql_name()))
            return


def _is_anonymous(node: exp.Func) -> bool:
    return isinstance(node, (exp.Anonymous, exp.AnonymousAggFunc))
