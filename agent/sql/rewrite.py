"""Puts row rules and the row limit into a checked query. Changes the tree it is given."""

from sqlglot import exp

from agent.sql.dialects import predicate
from agent.sql.facts import Facts, Reference
from agent.sql.leaks import may_fail_early
from agent.sql.outputs import is_single_row
from agent.sql.scope import GovernedSource, GuardScope
from agent.sql.spelling import identifier
from semantic_catalog.model import Dialect

# MySQL and DuckDB do not move conditions into a limited subquery; PostgreSQL not into one with an offset.
EVERY_ROW = str(2**63 - 1)


def govern(facts: Facts, scope: GuardScope) -> None:
    """Replaces every reference of a source that has row rules, denied columns or is taken whole.

    In its place stands a subquery of the same name with the governed columns and the permitted rows, so that nothing
    around it can read more, at any depth. Other references only get their schema.
    """
    fenced = any(reference.source.row_filter for reference in facts.references) and may_fail_early(
        facts.tree, scope.dialect
    )
    for reference in facts.references:
        _spell(reference, scope.dialect)
        if reference.source.row_filter or reference.source.denied or reference.whole:
            _replace(reference, scope, fenced=fenced)
        else:
            _qualify(reference.table, reference.source, scope)
    for column in facts.tree.find_all(exp.Column):
        if column.args.get("db") and facts.bound(column):
            column.set("db", None)
            column.set("catalog", None)


def limit_rows(tree: exp.Query, most: int) -> bool:
    """Caps the rows of the whole query at `most`; whether anything had to be changed."""
    given = _given_limit(tree)
    if (given is not None and given <= most) or (given is None and _is_one_row(tree)):
        return False
    tree.set("limit", exp.Limit(expression=exp.Literal.number(most)))
    return True


def _given_limit(tree: exp.Query) -> int | None:
    limit = tree.args.get("limit")
    amount = limit and (limit.args.get("count") or limit.args.get("expression"))
    return int(amount.name) if amount else None


def _is_one_row(tree: exp.Query) -> bool:
    return isinstance(tree, exp.Select) and is_single_row(tree)


def _spell(reference: Reference, dialect: Dialect) -> None:
    """MySQL may tell tables apart by case: the one that is read is the catalog's, called as the query calls it."""
    table = reference.table
    if dialect == "mysql" and table.name != reference.source.table:
        if not table.args.get("alias"):
            table.set("alias", exp.TableAlias(this=table.this.copy()))
        table.set("this", identifier(reference.source.table, dialect))


def _replace(reference: Reference, scope: GuardScope, *, fenced: bool) -> None:
    table, source = reference.table, reference.source
    select = exp.select(*(identifier(column.name, scope.dialect) for column in source.columns))
    inner = exp.Table(this=table.this.copy(), db=table.args.get("db"), catalog=table.args.get("catalog"))
    _qualify(inner, source, scope)
    select.set("from_", exp.From(this=inner))
    if source.row_filter:
        select.set("where", exp.Where(this=_plain(predicate(source.row_filter, scope.dialect).copy())))
        if fenced:
            _fence(select, scope.dialect)
    alias = table.args.get("alias") or exp.TableAlias(this=table.this.copy())
    table.replace(exp.Subquery(this=select, alias=alias, joins=table.args.get("joins")))


def _plain(condition: exp.Expr) -> exp.Expr:
    """The condition without parentheses that change nothing: people read it before they sign."""
    binds_tighter = isinstance(condition.this, exp.And) or not isinstance(condition.this, exp.Connector)
    if isinstance(condition, exp.Paren) and binds_tighter:
        return _plain(condition.this)
    if isinstance(condition, exp.And):
        return exp.And(this=_plain(condition.left), expression=_plain(condition.right))
    return condition


def _fence(select: exp.Select, dialect: Dialect) -> None:
    if dialect == "postgres":
        select.set("offset", exp.Offset(expression=exp.Literal.number(0)))
    else:
        select.set("limit", exp.Limit(expression=exp.Literal.number(EVERY_ROW)))


def _qualify(table: exp.Table, source: GovernedSource, scope: GuardScope) -> None:
    schema = source.schema or scope.default_schema
    if schema and not table.args.get("db"):
        table.set("db", identifier(schema, scope.dialect))
