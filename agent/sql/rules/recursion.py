"""A recursive query counts up by a step and says where it stops; nothing in it grows, and nothing else is read."""

from collections.abc import Iterator

from sqlglot import exp

from agent.sql.rules.ask import refuse
from agent.values.governance import Finding, RuleId
from semantic_catalog.model import Dialect

MAX_COUNT = 10_000
# Where each row of a source is counted up.
MAX_COUNT_OF_ROWS = 366
_ADDITIONS = (exp.Add, exp.DateAdd, exp.DatetimeAdd, exp.TimestampAdd, exp.TsOrDsAdd)
_CALENDAR_STEPS = (exp.Interval, exp.DateAdd, exp.DatetimeAdd, exp.TimestampAdd, exp.TsOrDsAdd)
_NOT_IN_STEPS = ("group", "having", "order", "limit", "distinct", "with_", "laterals")


def check(tree: exp.Expr, dialect: Dialect) -> Iterator[Finding]:  # noqa: ARG001 - every structure rule is called alike
    """Refuses a recursive CTE whose repeated part is more than a bounded step over itself."""
    for clause in tree.find_all(exp.With):
        recursive = clause.expressions if clause.args.get("recursive") else ()
        if not all(_is_bounded(cte) for cte in recursive if _repeats(cte)):
            yield refuse(RuleId.RECURSION, security=False)
            return


def _repeats(cte: exp.CTE) -> bool:
    return any(table.name.lower() == cte.alias.lower() for table in cte.this.find_all(exp.Table))


def _is_bounded(cte: exp.CTE) -> bool:
    first, step = (cte.this.this, cte.this.expression) if isinstance(cte.this, exp.Union) else (None, None)
    if not isinstance(first, exp.Select) or not isinstance(step, exp.Select) or _reads(first, cte.alias):
        return False
    source = step.args.get("from_")
    alone = source is not None and isinstance(source.this, exp.Table) and not step.args.get("joins")
    itself = alone and source is not None and source.this.name.lower() == cte.alias.lower()
    return itself and not any(step.args.get(part) for part in _NOT_IN_STEPS) and _stops(cte, first, step)


def _reads(query: exp.Expr, name: str) -> bool:
    return any(table.name.lower() == name.lower() for table in query.find_all(exp.Table))


def _stops(cte: exp.CTE, first: exp.Select, step: exp.Select) -> bool:
    """Every output is a step or stays as it is, and one that steps is limited."""
    names = cte.args["alias"].columns or [projection.alias_or_name for projection in first.expressions]
    names = [str(getattr(name, "name", name)).lower() for name in names]
    counted = {
        name: projection.unalias()
        for name, projection in zip(names, step.expressions, strict=False)
        if _counts(projection.unalias(), name)
    }
    still = all(
        isinstance(p.unalias(), (exp.Column, exp.Literal)) or p.unalias() in counted.values() for p in step.expressions
    )
    where = step.args.get("where")
    limits = where.this.flatten() if where and isinstance(where.this, exp.And) else [where.this] if where else []
    most = MAX_COUNT if first.find(exp.Table) is None else MAX_COUNT_OF_ROWS
    return still and any(_is_limit(limit, counted, most) for limit in limits)


def _counts(projection: exp.Expr, name: str) -> bool:
    """Whether the output of that name grows by a written, positive amount."""
    while isinstance(projection, (exp.Cast, exp.Paren)):
        projection = projection.this
    if not isinstance(projection, _ADDITIONS):
        return False
    counted, amount = projection.this, projection.args.get("expression")
    while isinstance(counted, (exp.Cast, exp.Paren, exp.TsOrDsToDate)):
        counted = counted.this
    return isinstance(counted, exp.Column) and counted.name.lower() == name and _is_positive(amount)


def _is_positive(amount: object) -> bool:
    if isinstance(amount, exp.Interval):
        amount = amount.this
    words = amount.name.split() if isinstance(amount, exp.Literal) else []
    return bool(words) and words[0].isdecimal() and int(words[0]) > 0


def _is_limit(condition: exp.Expr, counted: dict[str, exp.Expr], most: int) -> bool:
    column = condition.left if isinstance(condition, (exp.LT, exp.LTE)) else None
    step = counted.get(column.name.lower()) if isinstance(column, exp.Column) else None
    if step is None or not isinstance(condition, exp.Binary):
        return False
    limit = condition.right
    if isinstance(limit, exp.Literal) and not limit.is_string:
        return limit.name.isdecimal() and int(limit.name) <= most
    return step.find(*_CALENDAR_STEPS) is not None and not isinstance(limit, exp.Column)
