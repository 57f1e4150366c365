"""Functions that make text longer say how long, and not too long."""

from collections.abc import Iterator

from sqlglot import exp

from agent.sql.rules.ask import refuse
from agent.values.governance import Finding, RuleId
from semantic_catalog.model import Dialect

MAX_LENGTH = 1_000


def check(tree: exp.Expr, dialect: Dialect) -> Iterator[Finding]:  # noqa: ARG001 - every structure rule is called alike
    """Refuses padding and repetition by more than `MAX_LENGTH`, or by an amount that is not written out."""
    for node in tree.find_all(exp.Pad, exp.Repeat):
        amount = node.args.get("expression") if isinstance(node, exp.Pad) else node.args.get("times")
        if not _is_small(amount):
            yield refuse(RuleId.TEXT_GROWTH, most=str(MAX_LENGTH), security=False)
            return


def _is_small(amount: object) -> bool:
    return isinstance(amount, exp.Literal) and amount.name.isdigit() and int(amount.name) <= MAX_LENGTH
