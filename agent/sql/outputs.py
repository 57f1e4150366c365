"""What a SELECT hands on: each output's name, its origin, and whether equal values of it mean anything."""

from collections.abc import Callable

from sqlglot import exp

from agent.sql.facts import Binding, Output

BindingOf = Callable[[exp.Column], Binding | None]

# Functions that keep values apart well enough for an equality of them to connect two relations.
_KEEPS_APART: tuple[type[exp.Expr], ...] = (
    exp.Cast,
    exp.TryCast,
    exp.Lower,
    exp.Upper,
    exp.Trim,
    exp.Coalesce,
    exp.Date,
    exp.DateTrunc,
    exp.TimestampTrunc,
    exp.TsOrDsToDate,
    exp.TsOrDsToTimestamp,
    exp.TimeToStr,
    exp.StrToDate,
    exp.StrToTime,
    exp.UnixToTime,
    exp.Order,
    exp.DateAdd,
    exp.DateSub,
    exp.DatetimeAdd,
    exp.DatetimeSub,
    exp.Year,
    exp.Quarter,
    exp.Month,
    exp.Week,
    exp.Day,
    exp.LastDay,
    exp.Replace,
    exp.AtTimeZone,
    exp.Paren,
    exp.Alias,
    exp.AggFunc,
    exp.Extract,
)
# Each row has its own.
_DIFFER = (exp.Explode, exp.ExplodingGenerateSeries, exp.GenerateSeries)
# Parts of a written time that differ from day to day, month to month or year to year.
_TELLING = ("%Y", "%y", "%m", "%-m", "%d", "%-d", "%j", "%H", "%-H", "%B", "%b", "%A", "%a", "%V", "%U", "%W", "%u")
_UNITS = {"HOUR", "DAY", "DOY", "DOW", "ISODOW", "WEEK", "MONTH", "QUARTER", "YEAR", "ISOYEAR"}


def describe(projection: exp.Expr, binding_of: BindingOf, *, transparent: bool) -> Output:
    """The output that `projection` becomes. Only a `transparent` block passes a governed column on as such."""
    inner = projection.this if isinstance(projection, exp.Alias) else projection
    binding = binding_of(inner) if isinstance(inner, exp.Column) else None
    return Output(
        name=projection.alias or _implied_name(inner),
        origin=binding.output.origin if binding and transparent else None,
        joins=keeps_apart(inner, binding_of),
    )


def keeps_apart(node: exp.Expr, binding_of: BindingOf) -> bool:
    """Whether different rows tend to have different values of `node`: never for a constant or `x * 0`."""
    if isinstance(node, exp.Column):
        binding = binding_of(node)
        return binding.output.joins if binding else True
    if isinstance(node, _DIFFER) or (isinstance(node, exp.Count) and isinstance(node.this, exp.Star)):
        return True
    if isinstance(node, exp.Window):
        return _windowed(node, binding_of)
    if isinstance(node, (exp.Add, exp.Sub)):
        return _shifted(node, binding_of)
    if isinstance(node, (exp.DPipe, exp.Concat, exp.Distinct)):
        return any(keeps_apart(part, binding_of) for part in node.iter_expressions())
    if isinstance(node, (exp.Substring, exp.Left)):
        return keeps_apart(node.this, binding_of) and _is_long(node.args.get("length") or node.args.get("expression"))
    return isinstance(node, _KEEPS_APART) and not _flattens(node) and _kept(node, binding_of)


def _kept(node: exp.Expr, binding_of: BindingOf) -> bool:
    if isinstance(node, exp.Extract):
        return node.name.upper() in _UNITS and keeps_apart(node.expression, binding_of)
    return isinstance(node.this, exp.Expr) and keeps_apart(node.this, binding_of)


def _flattens(node: exp.Expr) -> bool:
    """Whether the arguments of a function that mostly keeps values apart make them few, or one."""
    if isinstance(node, exp.Cast):
        return bool(node.to.is_type(exp.DType.BOOLEAN)) or (
            bool(node.to.is_type(*exp.DataType.TEXT_TYPES)) and bool(node.to.expressions)
        )
    if isinstance(node, (exp.TimestampTrunc, exp.DateTrunc)):
        return node.text("unit").upper() not in _UNITS
    if isinstance(node, exp.TimeToStr):
        return not any(part in node.text("format") for part in _TELLING)
    if isinstance(node, exp.Trim):
        return node.args.get("expression") is not None
    return isinstance(node, exp.Replace) and _takes_columns(node)


def _takes_columns(node: exp.Replace) -> bool:
    taken = (node.args.get("expression"), node.args.get("replacement"))
    return any(isinstance(part, exp.Expr) and part.find(exp.Column) for part in taken)


def _windowed(window: exp.Window, binding_of: BindingOf) -> bool:
    """A function over all rows at once is the same for each of them, unless it numbers them."""
    if isinstance(window.this, exp.RowNumber):
        return True
    order = window.args.get("order")
    ordered = [part.this for part in order.expressions] if order else []
    return any(keeps_apart(part, binding_of) for part in (*(window.args.get("partition_by") or ()), *ordered))


def _shifted(node: exp.Add | exp.Sub, binding_of: BindingOf) -> bool:
    left, right = (bool(side.find(exp.Column)) for side in (node.left, node.right))
    return left != right and keeps_apart(node.left if left else node.right, binding_of)


def _is_long(length: object) -> bool:
    return isinstance(length, exp.Literal) and not length.is_string and length.name.strip("0.") != ""


def _implied_name(node: exp.Expr) -> str:
    if isinstance(node, exp.Column):
        return node.name
    if isinstance(node, (exp.Cast, exp.Paren)):
        return _implied_name(node.this)
    if isinstance(node, exp.Subquery):
        named = node.named_selects
        return named[0] if named else ""
    if isinstance(node, exp.Anonymous):
        return node.name.lower()
    return node.sql_name().lower() if isinstance(node, exp.Func) else ""


def is_single_row(select: exp.Select) -> bool:
    """Whether the block returns at most one row whatever the data."""
    limit = select.args.get("limit")
    if isinstance(limit, exp.Limit) and limit.expression and limit.expression.name in {"0", "1"}:
        return True
    if any(
        part.find(exp.Explode, exp.Unnest, exp.ExplodingGenerateSeries, exp.GenerateSeries)
        for part in select.expressions
    ):
        return False
    if not select.args.get("from_"):
        return True
    return not select.args.get("group") and any(_aggregates(part) for part in select.expressions)


def _aggregates(projection: exp.Expr) -> bool:
    stack = [projection]
    while stack:
        node = stack.pop()
        if isinstance(node, exp.AggFunc) and not isinstance(
            node.parent, (exp.Window, exp.IgnoreNulls, exp.RespectNulls)
        ):
            return not _is_windowed(node)
        if not isinstance(node, (exp.Query, exp.Window)):
            stack.extend(node.iter_expressions())
    return False


def _is_windowed(node: exp.Expr) -> bool:
    parent = node.parent
    while isinstance(parent, (exp.Filter, exp.WithinGroup, exp.IgnoreNulls, exp.RespectNulls)):
        parent = parent.parent
    return isinstance(parent, exp.Window)
