"""Whether computing something on hidden rows could show.

An engine may test a condition before a row rule; an expression that fails on a hidden row says something about it.
"""

from collections.abc import Iterator

from sqlglot import exp

# Expressions over columns that cannot fail, whatever the row.
_CANNOT_FAIL: tuple[type[exp.Expr], ...] = (
    exp.EQ,
    exp.NEQ,
    exp.GT,
    exp.GTE,
    exp.LT,
    exp.LTE,
    exp.NullSafeEQ,
    exp.NullSafeNEQ,
    exp.And,
    exp.Or,
    exp.Not,
    exp.Paren,
    exp.Is,
    exp.Like,
    exp.ILike,
    exp.In,
    exp.Between,
    exp.Alias,
    exp.Lower,
    exp.Upper,
    exp.Coalesce,
    exp.Case,
    exp.If,
    exp.Exists,
    exp.Tuple,
    exp.Distinct,
    exp.Ordered,
    exp.TimestampTrunc,
    exp.DateTrunc,
    exp.TsOrDsToDate,
    exp.Extract,
)
_CLAUSES = (
    exp.Query,
    exp.Where,
    exp.Having,
    exp.Qualify,
    exp.Order,
    exp.Group,
    exp.Join,
    exp.From,
    exp.Table,
    exp.Lateral,
    exp.Unnest,
    exp.Window,
    exp.AggFunc,
)
# What the outermost SELECT computes is computed last, of rows that passed every filter.
_COMPUTED_LAST = ("expressions", "having", "order", "group", "qualify")


def may_fail_early(tree: exp.Query) -> bool:
    """Whether some expression over columns might fail on a row that a row rule hides."""
    return any(_may_fail(column) for column in _early_columns(tree))


def _early_columns(tree: exp.Query) -> Iterator[exp.Column]:
    late = (
        {id(part) for name in _COMPUTED_LAST for part in _listed(tree.args.get(name))}
        if isinstance(tree, exp.Select)
        else set()
    )
    stack: list[tuple[exp.Expr, bool]] = [(tree, False)]
    while stack:
        node, computed_last = stack.pop()
        computed_last = id(node) in late or (computed_last and not isinstance(node, exp.Query))
        if isinstance(node, exp.Column) and not computed_last:
            yield node
        elif computed_last or not isinstance(node, exp.AggFunc):
            stack.extend((child, computed_last) for child in node.iter_expressions())


def _listed(part: object) -> list[object]:
    return part if isinstance(part, list) else [part] if part is not None else []


def _may_fail(column: exp.Column) -> bool:
    node = column.parent
    while node is not None and not isinstance(node, _CLAUSES):
        if not isinstance(node, _CANNOT_FAIL):
            return True
        node = node.parent
    return False
