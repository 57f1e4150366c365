"""Rows made from nothing are few: a calendar by days or longer steps, or a written range of numbers."""

from collections.abc import Iterator
from datetime import date

from sqlglot import exp

from agent.sql.moments import moment
from agent.sql.nesting import Inner, measured, own_nodes
from agent.sql.rules.ask import refuse
from agent.values.governance import Finding, RuleId
from semantic_catalog.model import Dialect

MAX_ROWS = 10_000
# A hundred years of days.
MAX_CALENDAR = 40_000
MAX_MULTIPLIED = 100_000
# What is reckoned with where only the data tells: rows of a table, items of a list.
_TABLE_ROWS = 1_000
_LIST_ITEMS = 10
_CALENDAR_DAYS = {"DAY": 1, "WEEK": 7, "MONTH": 30, "QUARTER": 91, "YEAR": 365}
_ANY_DAY = date(2025, 1, 1)
_SERIES = (exp.GenerateSeries, exp.ExplodingGenerateSeries)
_MAKERS = (*_SERIES, exp.Explode, exp.Unnest)


def check(tree: exp.Expr, dialect: Dialect) -> Iterator[Finding]:  # noqa: ARG001 - every structure rule is called alike
    """Refuses a series that is neither a calendar nor a range of at most `MAX_ROWS` written numbers.

    Also what a SELECT list multiplies the rows below it by, where that comes to more than `MAX_MULTIPLIED`.
    """
    makers = list(tree.find_all(*_MAKERS))
    if not all(_is_calendar(node) or _is_small(node) for node in makers if isinstance(node, _SERIES)) or (
        makers and isinstance(tree, exp.Query) and measured(tree, _rows, _TABLE_ROWS) > MAX_MULTIPLIED
    ):
        yield refuse(RuleId.GENERATED_ROWS, most=str(MAX_ROWS), security=False)


def _rows(query: exp.Query, inner: Inner) -> int:
    """Rows of a query: as many as its largest source has, times what its SELECT list makes of each."""
    nodes = list(own_nodes(query))
    below = [inner(node) for node in nodes if isinstance(node, (exp.Query, exp.Table))]
    made = [_made(node) for node in nodes if isinstance(node, _MAKERS)]
    if isinstance(query, exp.SetOperation):
        return sum(below)
    return max(below, default=1) * max(made, default=1)


def _made(node: exp.Expr) -> int:
    if isinstance(node, _SERIES):
        start, end = _number(node.args.get("start")), _number(node.args.get("end"))
        return abs(end - start) + 1 if start is not None and end is not None else _LIST_ITEMS
    lists = [part for part in (node.this, *node.expressions) if isinstance(part, exp.Array)]
    return max((len(items.expressions) for items in lists), default=_LIST_ITEMS)


def _is_calendar(node: exp.Expr) -> bool:
    days = _step_days(node.args.get("step"))
    return days > 0 and _length(node) // days <= MAX_CALENDAR


def _length(node: exp.Expr) -> int:
    """Days between two written ends; none where the data tells one of them, too many for ends that nobody knows."""
    ends = [node.args.get("start"), node.args.get("end")]
    moments = [moment(end, _ANY_DAY) for end in ends if isinstance(end, exp.Expr)]
    if len(moments) == 2 and moments[0] and moments[1]:
        return abs((moments[1] - moments[0]).days)
    told = any(isinstance(end, exp.Expr) and end.find(exp.Column, exp.Query) for end in ends)
    return 0 if told else MAX_CALENDAR * 1_000


def _step_days(step: object) -> int:
    interval = step.this if isinstance(step, exp.Cast) else step
    if isinstance(interval, exp.Interval):
        amount, unit = interval.name, interval.text("unit")
    else:
        words = interval.name.split() if isinstance(interval, exp.Literal) and interval.is_string else []
        amount, unit = words if len(words) == 2 else ("", "")
    return int(amount) * _CALENDAR_DAYS.get(unit.upper().rstrip("S"), 0) if amount.isdecimal() else 0


def _is_small(node: exp.Expr) -> bool:
    start, end = _number(node.args.get("start")), _number(node.args.get("end"))
    step = node.args.get("step")
    if start is None or end is None or (step is not None and not _number(step)):
        return False
    return abs(end - start) <= MAX_ROWS


def _number(node: object) -> int | None:
    if isinstance(node, exp.Neg):
        inner = _number(node.this)
        return None if inner is None else -inner
    return int(node.name) if isinstance(node, exp.Literal) and node.name.isdecimal() and len(node.name) < 10 else None
