"""Quantities that grow from query to query: each is measured inside out, through subqueries and named queries."""

from collections.abc import Callable, Iterator, Mapping

from sqlglot import exp

Inner = Callable[[exp.Expr], int]
Measure = Callable[[exp.Query, Inner], int]


def measured(tree: exp.Query, measure: Measure, stored: int) -> int:
    """What `measure` says of the outermost query.

    It is given each query with a function that tells what was found for a query or a table right inside it; a table
    that no WITH clause names has `stored`. Names are compared without case: the larger of two that differ only by it
    is not told apart, which can only be too careful.
    """
    return _measured(tree, measure, stored, {})


def own_nodes(query: exp.Query) -> Iterator[exp.Expr]:
    """Every node of the query itself, and the queries right inside it; not its WITH clause, nor what is in those."""
    stack = list(own_parts(query))
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, exp.Query):
            stack.extend(node.iter_expressions())


def own_parts(query: exp.Query) -> Iterator[exp.Expr]:
    """The clauses of a query, without its WITH clause."""
    return (part for part in query.iter_expressions() if part.arg_key != "with_")


def _measured(query: exp.Query, measure: Measure, stored: int, known: Mapping[str, int]) -> int:
    clause = query.args.get("with_")
    recursive = bool(clause and clause.args.get("recursive"))
    for cte in clause.expressions if clause else ():
        name = cte.alias.lower()
        inside = {**known, name: stored} if recursive else known
        found = _measured(cte.this, measure, stored, inside)
        known = {**known, name: max(found, known.get(name, 0))}

    def inner(node: exp.Expr) -> int:
        if isinstance(node, exp.Query):
            return _measured(node, measure, stored, known)
        return stored if node.args.get("db") else known.get(node.name.lower(), stored)

    return measure(query, inner)
