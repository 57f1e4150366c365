"""Equivalent spellings made one, so that every rule has to know only one of them."""

from sqlglot import exp


def normalise(tree: exp.Expr) -> exp.Expr:
    """`tree` without parentheses around single tables and without superfluous ones around the whole; changes it."""
    for wrapped in list(tree.find_all(exp.Subquery)):
        table = wrapped.this
        if isinstance(table, exp.Table) and not table.args.get("joins"):
            _unwrap(wrapped, table)
    return _unparenthesised(tree)


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
