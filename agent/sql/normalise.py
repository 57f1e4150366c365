"""Equivalent spellings made one, so that every rule has to know only one of them."""

from sqlglot import exp

from semantic_catalog.model import Dialect

_QUOTES = (exp.RawString, exp.National, exp.ByteString)


def normalise(tree: exp.Expr, dialect: Dialect) -> exp.Expr:
    """`tree` without parentheses around single tables or the whole, and without MySQL's `FROM dual`; changes it.

    Text in other quotes (`$$x$$`, `N'x'`, `E'x'` without escapes) is text; `EXISTS (SELECT * …)` selects nothing.
    """
    for quoted in list(tree.find_all(*_QUOTES)):
        if not (isinstance(quoted, exp.ByteString) and (dialect != "postgres" or "\\" in quoted.name)):
            quoted.replace(exp.Literal.string(quoted.name))
    for exists in tree.find_all(exp.Exists):
        _selecting_nothing(exists.this)
    for wrapped in list(tree.find_all(exp.Subquery)):
        table = wrapped.this
        if isinstance(table, exp.Table) and not table.args.get("joins"):
            _unwrap(wrapped, table)
    if dialect == "mysql":
        for select in tree.find_all(exp.Select):
            _without_dual(select)
    return _unparenthesised(tree)


def _selecting_nothing(query: object) -> None:
    if isinstance(query, exp.Select) and len(query.expressions) == 1 and not query.args.get("distinct"):
        (output,) = query.expressions
        if isinstance(output, exp.Star) and not any(output.args.values()):
            query.set("expressions", [exp.Literal.number(1)])


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
