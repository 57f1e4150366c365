"""Operations carried out on a written statement, where its shape lets them; nothing else in it is touched."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date

from sqlglot import exp

from agent.feedback.lift import Lifted, conditions_in, is_on_time, lift, member_filter, simple_measures
from agent.feedback.source import read_from
from agent.values.feedback import Operation, OperationName
from agent.values.spec import MemberFilter, Period
from semantic_catalog.model import DimensionName, Domain, MetricName


@dataclass(frozen=True, slots=True, kw_only=True)
class _Work:
    """A copy of the statement that the steps change."""

    lifted: Lifted
    domain: Domain


def rewrite(tree: exp.Expr, operations: tuple[Operation, ...], domain: Domain) -> exp.Expr | None:
    """The statement with every operation made; None where one of them needs it to be written anew."""
    copy = tree.copy()
    lifted = lift(copy, domain)
    if lifted is None or not operations:
        return None
    work = _Work(lifted=lifted, domain=domain)
    done = all(_STEPS[each.name](work, each) if each.name in _STEPS else False for each in operations)
    return copy if done else None


def _set_limit(work: _Work, wanted: Operation) -> bool:
    root = work.lifted.root
    if wanted.limit is None:
        root.set("limit", None)
    else:
        root.limit(wanted.limit, copy=False)
    return True


def _filter(work: _Work, wanted: Operation) -> bool:
    """The wanted filter in place of those on its dimension; for `remove_filter` only those go."""
    item = wanted.filter
    column = _column(work, item.dimension) if item else None
    if item is None or column is None:
        return False
    kept = [each for each in conditions_in(work.lifted.base) if not _is_of(each, item, work)]
    new = [] if wanted.name == "remove_filter" else [_condition(column, item)]
    return _set_conditions(work, [*kept, *new])


def _is_of(condition: exp.Expr, item: MemberFilter, work: _Work) -> bool:
    found = member_filter(condition, work.lifted.entity)
    return found is not None and found.dimension == item.dimension


def _condition(column: str, item: MemberFilter) -> exp.Expr:
    values = [exp.Literal.string(value) for value in item.values]
    if len(values) == 1:
        compared = exp.EQ if item.include else exp.NEQ
        return compared(this=exp.column(column), expression=values[0])
    kept = exp.In(this=exp.column(column), expressions=values)
    return kept if item.include else exp.Not(this=kept)


def _set_conditions(work: _Work, conditions: list[exp.Expr]) -> bool:
    where = exp.Where(this=exp.and_(*conditions, copy=False)) if conditions else None
    work.lifted.base.set("where", where)
    return True


def _window(work: _Work, wanted: Operation) -> bool:
    entity, period = work.lifted.entity, wanted.period
    if entity.time is None or period is None or entity.time.kind == "timestamp":
        return False
    kept = [each for each in conditions_in(work.lifted.base) if not is_on_time(each, entity)]
    return _set_conditions(work, [*kept, *_bounds(entity.time.column, entity.time.kind, period)])


def _bounds(column: str, kind: str, period: Period) -> list[exp.Expr]:
    """Both ends included. Months are whole: a window that takes a part of one is not said by them."""
    ends = [(exp.GTE, period.start), (exp.LTE, period.end)]
    return [
        compared(this=exp.column(column), expression=_literal(day, kind)) for compared, day in ends if day is not None
    ]


def _literal(day: date, kind: str) -> exp.Expr:
    if kind == "month_text":
        return exp.Literal.string(f"{day:%Y-%m}")
    return exp.cast(exp.Literal.string(str(day)), exp.DataType.Type.DATE)


def _grouping(work: _Work, wanted: Operation) -> bool:
    """Dimensions that come and go, in a statement of one piece; buckets of time are written anew."""
    if wanted.grain is not None or not work.lifted.in_one_piece:
        return False
    if not all(_take_out(work, name) for name in wanted.without_dimensions):
        return False
    return all(_put_in(work, name) for name in wanted.dimensions)


def _take_out(work: _Work, name: DimensionName) -> bool:
    column, root = _column(work, name), work.lifted.root
    shown = [each for each in root.expressions if not _is_column(each, column)]
    if column is None or len(shown) in (0, len(root.expressions)):
        return False
    root.set("expressions", shown)
    for part in ("group", "order"):
        node = root.args.get(part)
        if node is not None:
            kept = [each for each in node.expressions if not _is_column(each, column)]
            root.set(part, type(node)(expressions=kept) if kept else None)
    return True


def _is_column(node: exp.Expr, column: str | None) -> bool:
    inner = node.this if isinstance(node, exp.Ordered) else node.unalias()
    return isinstance(inner, exp.Column) and inner.name == column


def _put_in(work: _Work, name: DimensionName) -> bool:
    column, root = _column(work, name), work.lifted.root
    group = root.args.get("group")
    if column is None or (group is not None and any(isinstance(each, exp.Literal) for each in group.expressions)):
        return False
    root.set("expressions", [exp.column(column), *root.expressions])
    root.group_by(exp.column(column), copy=False)
    return True


def _order(work: _Work, wanted: Operation) -> bool:
    root = work.lifted.root
    shown = {each.alias_or_name: each for each in root.expressions}
    named = {str(item.by): _shown_as(str(item.by), work) for item in wanted.order}
    if not named or any(place not in shown for place in named.values()):
        return False
    items = [exp.Ordered(this=exp.column(named[str(i.by)]), desc=i.descending) for i in wanted.order]
    root.set("order", exp.Order(expressions=items))
    return True


def _shown_as(by: str, work: _Work) -> str:
    """The shown column that a metric or a dimension is."""
    column = _column(work, DimensionName(by))
    if column is not None:
        return column
    measured = _metric_columns(work)
    return measured.get(MetricName(by), by)


def _metric_columns(work: _Work) -> Mapping[MetricName, str]:
    """The shown columns of metrics; the only measured one stands for whatever metric is meant where none is known."""
    known: dict[MetricName, str] = {}
    for name, _ in simple_measures(work.lifted.entity, work.domain):
        projection = next((each for each in work.lifted.root.expressions if _is_metric(each, name, work)), None)
        if projection is not None:
            known[name] = projection.alias_or_name
    measured = [
        each.alias_or_name for each in work.lifted.root.expressions if not isinstance(each.unalias(), exp.Column)
    ]
    return known if known or len(measured) != 1 else {work.lifted.spec.metrics[0]: measured[0]}


def _is_metric(projection: exp.Expr, name: MetricName, work: _Work) -> bool:
    expression = _expression(name, work)
    return expression is not None and projection.unalias().sql().lower() == expression.sql().lower()


def _expression(name: MetricName, work: _Work) -> exp.Expr | None:
    measures = dict(simple_measures(work.lifted.entity, work.domain))
    measure = measures.get(name)
    if measure is None or measure.filter is not None or measure.aggregation == "count_distinct":
        return None
    return exp.maybe_parse(f"{measure.aggregation}({measure.expression})", dialect=work.domain.dialect)


def _metrics(work: _Work, wanted: Operation) -> bool:
    root = work.lifted.root
    if not work.lifted.in_one_piece or (wanted.without_metrics and not work.lifted.exact):
        return False
    gone = [each for each in root.expressions if any(_is_metric(each, name, work) for name in wanted.without_metrics)]
    come = [(name, _expression(name, work)) for name in wanted.metrics]
    if len(gone) != len(wanted.without_metrics) or any(made is None for _, made in come):
        return False
    added = [exp.alias_(made, name) for name, made in come if made is not None]
    kept = [each for each in root.expressions if each not in gone]
    if not any(not isinstance(each.unalias(), exp.Column) for each in (*kept, *added)):
        return False
    root.set("expressions", [*kept, *added])
    instead = added[0].alias if added else ""
    return _reordered(root, {each.alias_or_name for each in gone}, instead)


def _reordered(root: exp.Select, gone: set[str], instead: str) -> bool:
    """Sorted by what comes in the place of what goes; a limit on nothing's order would keep any rows at all."""
    order = root.args.get("order")
    items = order.expressions if order is not None else []
    if not any(each.this.name in gone for each in items):
        return True
    if not instead:
        return root.args.get("limit") is None and _set_order(root, [i for i in items if i.this.name not in gone])
    for item in (each for each in items if each.this.name in gone):
        item.set("this", exp.column(instead))
    return _set_order(root, items)


def _set_order(root: exp.Select, items: list[exp.Expr]) -> bool:
    root.set("order", exp.Order(expressions=items) if items else None)
    return True


def _source(work: _Work, wanted: Operation) -> bool:
    return wanted.source is not None and read_from(work.lifted, work.domain.entity(wanted.source))


def _column(work: _Work, dimension: DimensionName) -> str | None:
    own = work.lifted.entity.dimension(dimension)
    return own.column if own is not None else None


_STEPS: Mapping[OperationName, Callable[[_Work, Operation], bool]] = {
    "set_limit": _set_limit,
    "add_filter": _filter,
    "remove_filter": _filter,
    "replace_filter": _filter,
    "change_time_window": _window,
    "add_dimension": _grouping,
    "remove_dimension": _grouping,
    "change_grouping": _grouping,
    "change_order": _order,
    "add_metric": _metrics,
    "remove_metric": _metrics,
    "replace_metric": _metrics,
    "replace_source": _source,
}
