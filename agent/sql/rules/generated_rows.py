"""Rows made from nothing are few: a calendar by days or longer steps, or a written range of numbers."""

from collections.abc import Iterator

from sqlglot import exp

from agent.sql.rules.ask import refuse
from agent.values.governance import Finding, RuleId
from semantic_catalog.model import Dialect

MAX_ROWS = 10_000
_CALENDAR_UNITS = {"DAY", "WEEK", "MONTH", "QUARTER", "YEAR"}


def check(tree: exp.Expr, dialect: Dialect) -> Iterator[Finding]:  # noqa: ARG001 - every structure rule is called alike
    """Refuses a series that is neither a calendar nor a range of at most `MAX_ROWS` written numbers."""
    for node in tree.find_all(exp.GenerateSeries, exp.ExplodingGenerateSeries):
        if not (_is_calendar(node.args.get("step")) or _is_small(node)):
            yield refuse(RuleId.GENERATED_ROWS, most=str(MAX_ROWS), security=False)
            return


def _is_calendar(step: object) -> bool:
    interval = step.this if isinstance(step, exp.Cast) else step
    if isinstance(interval, exp.Interval):
        unit = interval.text("unit").upper().rstrip("S")
        return unit in _CALENDAR_UNITS and interval.name.isdecimal() and int(interval.name) > 0
    words = interval.name.split() if isinstance(interval, exp.Literal) and interval.is_string else []
    return (
        len(words) == 2 and words[0].isdecimal() and int(words[0]) > 0 and words[1].upper().rstrip("S") in _CALENDAR_UNITS
    )


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
