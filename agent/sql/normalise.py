"""Equivalent spellings made one, so that every rule has to know only one of them."""

from sqlglot import exp

from semantic_catalog.model import Dialect


def normalise(tree: exp.Expr, dialect: Dialect) -> exp.Expr:
    """`tree` without parentheses around single tables or the whole, and without MySQL's `FROM dual`; changes it."""
    for wrapped in list(tree.find_all(exp.Subquery)):
        table = wrapped.this
        if isinstance(table, exp.Table) and not table.args.get("joins"):
            _unwrap(wrapped, table)
    if dialect == "mysql":
        for select in tree.find_all(exp.Select):
            _without_dual(select)
    return _unparenthesised(tree)


def _without_dual(select: exp.Select) -> None:
    source = select.args.get("from_")
    table = source.this if source and not select.args.get("joins") else None
    is_word = (
        isinstance(table, exp.Table) and isinstance(table.this, exp.Identifier) and not table.this.args.get("quoted")
    )
    if table is not None and is_word and table.name.lower() == "dual" and _given(table) == ["this"]:
        select.set("from_", None)


def _unwrap(wrapped: exp.Subquery, table: exp.Table) -> None:
    alias = wrapped.args.get("alias")
    if alias is not None and table.args.get("alias") is None:
        table.set("alias", alias)
    if set(_given(wrapped)) <= {"this", "alias"}:
        wrapped.replace(table)


def _unparenthesised(tree: exp.Expr) -> exp.Expr:
    while isinstance(tree, exp.Subquery) and _given(tree) == ["this"]:
        tree = tree.this
        tree.pop()
    return tree


def _given(node: exp.Expr) -> list[str]:
    return [part for part, value in node.args.items() if value]
