"""Whether computing something on hidden rows could show.

An engine may test a condition before a row rule; an expression that fails on a hidden row says something about it.
"""

from collections.abc import Iterator
from datetime import date

from sqlglot import exp

from agent.sql.moments import moment
from agent.sql.outputs import is_single_row
from semantic_catalog.model import Dialect

# Expressions that cannot fail, whatever the row, as long as what they hold cannot.
_CANNOT_FAIL: tuple[type[exp.Expr], ...] = (
    exp.NullSafeEQ,
    exp.NullSafeNEQ,
    exp.And,
    exp.Or,
    exp.Not,
    exp.Paren,
    exp.Is,
    exp.Alias,
    exp.Lower,
    exp.Upper,
    exp.Case,
    exp.If,
    exp.Exists,
    exp.Tuple,
    exp.Distinct,
    exp.Ordered,
    exp.Any,
    exp.All,
)
# On DuckDB these turn text into numbers or times where the sides differ, and that may fail.
_COMPARES: tuple[type[exp.Expr], ...] = (
    exp.EQ,
    exp.NEQ,
    exp.GT,
    exp.GTE,
    exp.LT,
    exp.LTE,
    exp.In,
    exp.Between,
    exp.Coalesce,
)
_ATOMS: tuple[type[exp.Expr], ...] = (
    exp.Column,
    exp.Star,
    exp.Literal,
    exp.Boolean,
    exp.Null,
    exp.Var,
    exp.TableAlias,
    exp.DataType,
    exp.WindowSpec,
)
_CLAUSES = (
    exp.Query,
    exp.With,
    exp.CTE,
    exp.Where,
    exp.Having,
    exp.Qualify,
    exp.Order,
    exp.Limit,
    exp.Offset,
    exp.Fetch,
    exp.Group,
    exp.Rollup,
    exp.Cube,
    exp.GroupingSets,
    exp.Join,
    exp.From,
    exp.Table,
    exp.Lateral,
    exp.Unnest,
    exp.Values,
    exp.Window,
    exp.RowNumber,
    exp.Rank,
    exp.DenseRank,
)
# What the outermost SELECT computes is computed last, of rows that passed every filter.
_COMPUTED_LAST = ("expressions", "having", "order", "group", "qualify", "limit", "offset")
_TRUNCATIONS = (exp.TimestampTrunc, exp.DateTrunc)
_UNITS = frozenset({"SECOND", "MINUTE", "HOUR", "DAY", "WEEK", "MONTH", "QUARTER", "YEAR"})
_ANY_DAY = date(2000, 1, 1)


def may_fail_early(tree: exp.Query, dialect: Dialect) -> bool:
    """Whether an expression might fail on a row that a row rule hides, or only where such a row meets a condition."""
    return any(_may_fail(node, dialect) for node in _early(tree))


def _early(tree: exp.Query) -> Iterator[exp.Expr]:
    """Every part of the query that an engine may compute before the row rules have been applied."""
    late = (
        {id(part) for name in _COMPUTED_LAST for part in _listed(tree.args.get(name))}
        if isinstance(tree, exp.Select)
        else set()
    )
    stack: list[tuple[exp.Expr, bool]] = [(tree, False)]
    while stack:
        node, computed_last = stack.pop()
        computed_last = id(node) in late or (computed_last and not isinstance(node, exp.Query))
        if not computed_last and not isinstance(node, exp.AggFunc):
            yield node
        if computed_last or not isinstance(node, (exp.AggFunc, *_ATOMS)):
            stack.extend((child, computed_last) for child in _parts(node))


def _parts(node: exp.Expr) -> Iterator[exp.Expr]:
    """What a node computes with; a written time is one piece, and so is the name of a table or an alias."""
    for child in node.iter_expressions():
        if not isinstance(child, exp.Identifier) and moment(child, _ANY_DAY) is None:
            yield child


def _listed(part: object) -> list[object]:
    return part if isinstance(part, list) else [part] if part is not None else []


def _may_fail(node: exp.Expr, dialect: Dialect) -> bool:
    if isinstance(node, _COMPARES):
        return dialect == "duckdb"
    if isinstance(node, (exp.Like, exp.ILike)):
        return not _is_plain_pattern(node.expression)
    if isinstance(node, exp.Subquery) and _is_value(node):
        return not (isinstance(node.this, exp.Select) and is_single_row(node.this))
    if isinstance(node, _TRUNCATIONS):
        return node.text("unit").upper() not in _UNITS
    if isinstance(node, (exp.TsOrDsToDate, exp.TsOrDsToTimestamp)):
        # MySQL gives NULL for what is no date.
        return dialect != "mysql"
    if isinstance(node, exp.Extract):
        return node.name.upper() not in _UNITS
    return not isinstance(node, (*_CANNOT_FAIL, *_ATOMS, *_CLAUSES))


def _is_plain_pattern(pattern: object) -> bool:
    """A pattern that ends in an escape character is an error once a row has come so far."""
    return isinstance(pattern, exp.Literal) and "\\" not in pattern.name


def _is_value(subquery: exp.Subquery) -> bool:
    """Whether the subquery stands for one value, of which there may be too many."""
    return not isinstance(
        subquery.parent, (exp.From, exp.Join, exp.Lateral, exp.In, exp.Any, exp.All, exp.Exists, exp.SetOperation)
    ) and not (isinstance(subquery.parent, exp.Subquery) and subquery.arg_key == "this")
