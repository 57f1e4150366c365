"""A resolved question becomes one SELECT over governed entities, and the columns that it returns."""

from dataclasses import dataclass
from datetime import date

from sqlglot import exp

from agent.errors import SpecNotCompilable
from agent.sql import dialects
from agent.sql.compile.arrange import (
    TOP,
    is_top_member,
    late_conditions,
    limits_members,
    ordered,
    top_members,
    windows_before,
)
from agent.sql.compile.columns import result_columns
from agent.sql.compile.derive import DerivedColumn, derived_columns
from agent.sql.compile.leaves import named
from agent.sql.compile.measure import measure, thresholds
from agent.sql.compile.plan import Plan, plan_of
from agent.sql.compile.stack import Cte, Measured, key_names
from agent.sql.spelling import quote_names, write_days_plainly
from agent.values.result import ResultColumn
from agent.values.spec import QuerySpec
from semantic_catalog.model import Dialect, Domain, Entity, Locale

MEASURED = "measured"
CALCULATED = "calculated"


@dataclass(frozen=True, slots=True, kw_only=True)
class Compiled:
    """`tree` belongs to no dialect; `columns` are its result, in order; `entities` are all it reads, joins too."""

    tree: exp.Select
    columns: tuple[ResultColumn, ...]
    entities: tuple[Entity, ...]

    @property
    def sources(self) -> tuple[str, ...]:
        """The tables and views read, as the catalog names them."""
        return tuple(entity.source for entity in self.entities)


def compile_spec(spec: QuerySpec, domain: Domain, locale: Locale, today: date) -> Compiled:
    """The question as SQL over the cheapest governed source that holds all of it.

    `today` is the day after the last day of data. Raises `SpecNotCompilable` when no source can answer.
    """
    plan = plan_of(spec, domain, today)
    measured, derived = measure(plan), derived_columns(plan)
    _check_order(plan, derived)
    _check_conditions(plan, derived)
    tree = _layered(plan, measured, derived) if _needs_layers(plan, measured, derived) else _flat(plan, measured)
    quote_names(tree, domain.dialect)
    return Compiled(
        tree=tree,
        columns=result_columns(plan, derived, locale),
        entities=_read_entities(tree, domain),
    )


def render(tree: exp.Expr, dialect: Dialect) -> str:
    """The SQL as people read it, one clause a line. Raises `sqlglot.errors.UnsupportedError`; keeps `tree` as it is."""
    copy = tree.copy()
    write_days_plainly(copy)
    return dialects.render(copy, dialect, pretty=True)


def _check_order(plan: Plan, derived: tuple[DerivedColumn, ...]) -> None:
    columns = {"time", *_visible(plan, derived), *_hidden(plan)}
    unknown = [item.by for item in plan.spec.order if item.by not in columns]
    if unknown:
        raise SpecNotCompilable(f"nothing to sort by: {', '.join(unknown)}")


def _check_conditions(plan: Plan, derived: tuple[DerivedColumn, ...]) -> None:
    columns = {*plan.measured, *(item.name for item in derived)}
    unknown = [item.column for item in plan.spec.having if item.column not in columns]
    if unknown:
        raise SpecNotCompilable(f"nothing to compare: {', '.join(unknown)}")


def _needs_layers(plan: Plan, measured: Measured, derived: tuple[DerivedColumn, ...]) -> bool:
    filters_windows = bool(plan.spec.having) and measured.select.find(exp.Window) is not None
    return bool(derived) or filters_windows or limits_members(plan)


def _flat(plan: Plan, measured: Measured) -> exp.Select:
    columns = {column.alias_or_name: column for column in measured.select.expressions}
    visible = _visible(plan, ())

    def written(name: str) -> exp.Expr:
        return exp.column(name) if name in visible else measured.values[name].copy()

    select = measured.select.select(*(columns[name] for name in visible), append=False)
    if not plan.counted:
        select = select.having(*thresholds(plan, lambda name: measured.values[name].copy()))
    return _with_ctes(_limited(plan, ordered(plan, select, written)), measured.ctes)


def _layered(plan: Plan, measured: Measured, derived: tuple[DerivedColumn, ...]) -> exp.Select:
    """Measured rows in a CTE, what is derived from them above it, what filters the finished rows on top."""
    ctes = [*measured.ctes, (MEASURED, measured.select)]
    values = {item.name: item.value for item in derived}
    conditions = late_conditions(plan, values)
    windows = windows_before(plan, values, bool(conditions))
    rows, shown = MEASURED, _visible(plan, derived)
    if windows:
        kept = (*(name for name in shown if name not in values), *_hidden(plan), *windows)
        ctes.append((CALCULATED, exp.select(*_columns(kept, windows)).from_(MEASURED)))
        rows = CALCULATED
    above = {name: value for name, value in values.items() if name not in windows}
    select = exp.select(*_columns(shown, above)).from_(rows)
    if limits_members(plan):
        ctes += top_members(plan)
        select = select.join(TOP, on=is_top_member(plan))
    return _with_ctes(_limited(plan, ordered(plan, select.where(*conditions), exp.column)), tuple(ctes))


def _visible(plan: Plan, derived: tuple[DerivedColumn, ...]) -> tuple[str, ...]:
    shown = (name for base in plan.shown for name in (base, *(d.name for d in derived if d.base == base)))
    return (*key_names(plan), *shown)


def _hidden(plan: Plan) -> tuple[str, ...]:
    return () if plan.counted else tuple(name for name in plan.measured if name not in plan.shown)


def _columns(names: tuple[str, ...], values: dict[str, exp.Expr]) -> list[exp.Expr]:
    return [named(values[name], name) if name in values else exp.column(name) for name in names]


def _limited(plan: Plan, select: exp.Select) -> exp.Select:
    limits_rows = plan.spec.limit is not None and plan.keys and not limits_members(plan)
    return select.limit(plan.spec.limit or 0) if limits_rows else select


def _with_ctes(select: exp.Select, ctes: tuple[Cte, ...]) -> exp.Select:
    for name, query in ctes:
        select = select.with_(name, as_=query)
    return select


def _read_entities(tree: exp.Select, domain: Domain) -> tuple[Entity, ...]:
    names = {".".join(part.name for part in table.parts) for table in tree.find_all(exp.Table)}
    return tuple(entity for entity in domain.entities if entity.source in names)
