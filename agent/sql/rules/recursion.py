"""A recursive query counts up by a step and says where it stops; nothing in it grows, and nothing else is read."""

from collections.abc import Iterator

from sqlglot import exp

from agent.sql.rules.ask import refuse
from agent.values.governance import Finding, RuleId
from semantic_catalog.model import Dialect

MAX_COUNT = 10_000
_STEPS = (exp.Add, exp.DateAdd, exp.DatetimeAdd, exp.TimestampAdd, exp.TsOrDsAdd, exp.Interval, exp.Literal, exp.Cast)
_PARTS_OF_STEPS = (exp.Column, exp.Identifier, exp.Var, exp.DataType, exp.Paren, exp.Alias, exp.DataTypeParam)
_CALENDAR_STEPS = (exp.Interval, exp.DateAdd, exp.DatetimeAdd, exp.TimestampAdd, exp.TsOrDsAdd)


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
    step = cte.this.expression if isinstance(cte.this, exp.Union) else None
    if not isinstance(step, exp.Select) or _names(cte.this.this) & {cte.alias.lower()}:
        return False
    source = step.args.get("from_")
    alone = source is not None and isinstance(source.this, exp.Table) and not step.args.get("joins")
    itself = alone and source is not None and source.this.name.lower() == cte.alias.lower()
    return itself and all(_is_step(part) for part in step.expressions) and _stops(step)


def _names(query: exp.Expr) -> set[str]:
    return {table.name.lower() for table in query.find_all(exp.Table)}


def _is_step(projection: exp.Expr) -> bool:
    return all(isinstance(node, _STEPS + _PARTS_OF_STEPS) for node in projection.walk())


def _stops(step: exp.Select) -> bool:
    where = step.args.get("where")
    by_calendar = any(part.find(*_CALENDAR_STEPS) for part in step.expressions)
    limits = where.this.flatten() if where and isinstance(where.this, exp.And) else [where.this] if where else []
    return any(_is_limit(limit, by_calendar=by_calendar) for limit in limits)


def _is_limit(condition: exp.Expr, *, by_calendar: bool) -> bool:
    if not isinstance(condition, (exp.LT, exp.LTE)) or not condition.left.find(exp.Column):
        return False
    limit = condition.right
    if isinstance(limit, exp.Literal) and not limit.is_string:
        return limit.name.isdigit() and int(limit.name) <= MAX_COUNT
    return by_calendar and not isinstance(limit, exp.Column)
