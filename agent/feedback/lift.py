"""What of a written statement the catalog knows: as the question that a change can be read against."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from sqlglot import exp

from agent.feedback.facets import conjuncts
from agent.values.spec import MemberFilter, OrderBy, Period, QuerySpec
from semantic_catalog.model import DimensionName, Domain, Entity, Measure, MetricName


@dataclass(frozen=True, slots=True, kw_only=True)
class Lifted:
    """`spec` is what the catalog knows of the statement: its metrics may be a stand-in (`exact` False).

    `base` is the only part that reads the entity, `root` the outermost; a statement in one piece has them the same.
    """

    spec: QuerySpec
    entity: Entity
    base: exp.Select
    root: exp.Select
    exact: bool

    @property
    def in_one_piece(self) -> bool:
        """Whether the part that reads the source is the part that is shown."""
        return self.base is self.root


def lift(tree: exp.Expr, domain: Domain) -> Lifted | None:
    """The statement's question; None where it reads no source or several, or is no plain SELECT."""
    if not isinstance(tree, exp.Select):
        return None
    found = [(table, entity) for table in tree.find_all(exp.Table) for entity in domain.entities if _is(table, entity)]
    if len(found) != 1:
        return None
    [(table, entity)] = found
    base = table.find_ancestor(exp.Select)
    if base is None or (base.args.get("joins") and base is tree and len(list(tree.find_all(exp.Table))) > 1):
        return None
    metrics = tuple(_metrics(tree, entity, domain))
    stand_in = next(iter(_simple(entity, domain)), None)
    if not metrics and stand_in is None:
        return None
    spec = QuerySpec(
        domain=domain.name,
        metrics=metrics or (stand_in,),  # type: ignore[arg-type]  # one of the two is there
        dimensions=tuple(_dimensions(tree, entity)),
        filters=tuple(_filters(base, entity)),
        period=_period(base, entity, domain.timezone),
        order=tuple(_order(tree)),
        limit=_limit(tree),
    )
    return Lifted(spec=spec, entity=entity, base=base, root=tree, exact=bool(metrics))


def _is(table: exp.Table, entity: Entity) -> bool:
    return ".".join(part for part in (table.db, table.name) if part).lower() == entity.source.lower()


def simple_measures(entity: Entity, domain: Domain) -> Iterator[tuple[MetricName, Measure]]:
    """The metrics that are one measure of the entity."""
    for metric in domain.metrics:
        measure = entity.measure(metric.measure) if metric.kind == "simple" and metric.measure else None
        if measure is not None and metric.view is None:
            yield metric.name, measure


def _simple(entity: Entity, domain: Domain) -> Iterator[MetricName]:
    yield from (name for name, _ in simple_measures(entity, domain))


def _metrics(root: exp.Select, entity: Entity, domain: Domain) -> Iterator[MetricName]:
    for projection in root.expressions:
        said = projection.unalias().sql().lower().replace(" ", "")
        for name, measure in simple_measures(entity, domain):
            written = f"{measure.aggregation}({measure.expression})".lower().replace(" ", "")
            if measure.filter is None and said == written:
                yield name


def _dimensions(root: exp.Select, entity: Entity) -> Iterator[DimensionName]:
    for projection in root.expressions:
        column = projection.unalias()
        if isinstance(column, exp.Column):
            yield from (each.dimension for each in entity.dimensions if each.column == column.name)


def _filters(base: exp.Select, entity: Entity) -> Iterator[MemberFilter]:
    for condition in conditions_in(base):
        found = member_filter(condition, entity)
        if found is not None:
            yield found


def conditions_in(select: exp.Select) -> list[exp.Expr]:
    """The conditions of one part of the statement."""
    where = select.args.get("where")
    return conjuncts(where.this) if where is not None else []


def member_filter(condition: exp.Expr, entity: Entity) -> MemberFilter | None:
    """A condition that keeps or leaves out members; None for any other."""
    include = not isinstance(condition, exp.NEQ | exp.Not)
    inner = condition.this if isinstance(condition, exp.Not) else condition
    if not isinstance(inner, exp.EQ | exp.NEQ | exp.In) or not isinstance(inner.this, exp.Column):
        return None
    literals = inner.expressions if isinstance(inner, exp.In) else [inner.expression]
    dimension = next((each.dimension for each in entity.dimensions if each.column == inner.this.name), None)
    if dimension is None or not literals or not all(isinstance(each, exp.Literal) for each in literals):
        return None
    return MemberFilter(dimension=dimension, values=tuple(each.name for each in literals), include=include)


def is_on_time(condition: exp.Expr, entity: Entity) -> bool:
    """Whether the condition bounds the entity's time."""
    return entity.time is not None and any(each.name == entity.time.column for each in condition.find_all(exp.Column))


def _period(base: exp.Select, entity: Entity, timezone: str) -> Period | None:
    days: dict[str, date] = {}
    for condition in (each for each in conditions_in(base) if is_on_time(each, entity)):
        days |= dict(_bounds(condition))
    return Period(start=days.get("start"), end=days["end"], timezone=timezone) if "end" in days else None


def _bounds(condition: exp.Expr) -> Iterator[tuple[str, date]]:
    if isinstance(condition, exp.Between):
        sides = (("start", condition.args["low"], 0), ("end", condition.args["high"], 0))
    elif isinstance(condition, exp.GTE | exp.GT | exp.LTE | exp.LT):
        name = "start" if isinstance(condition, exp.GTE | exp.GT) else "end"
        off = 1 if isinstance(condition, exp.GT) else -1 if isinstance(condition, exp.LT) else 0
        sides = ((name, condition.expression, off),)  # type: ignore[assignment]  # one side of the window
    else:
        return
    for name, side, off in sides:
        literal = side.find(exp.Literal)
        day = _day(literal.name) if literal is not None else None
        if day is not None:
            yield name, day + timedelta(days=off)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10] if len(text) > 7 else f"{text}-01")
    except ValueError:
        return None


def _order(root: exp.Select) -> Iterator[OrderBy]:
    ordered = root.args.get("order")
    for item in ordered.expressions if ordered is not None else []:
        if isinstance(item, exp.Ordered) and isinstance(item.this, exp.Column):
            yield OrderBy(by=item.this.name, descending=bool(item.args.get("desc")))


def _limit(root: exp.Select) -> int | None:
    limit = root.args.get("limit")
    literal = limit.find(exp.Literal) if limit is not None else None
    return int(literal.name) if literal is not None and literal.name.isdigit() else None
