"""On MySQL, what a grouped query shows is grouped or aggregated, also where the engine does not see to it.

MariaDB takes any row's value for an ungrouped column of a derived table, which a source with row rules becomes too, and
may name the totals of ROLLUP wrongly where it groups by an expression. PostgreSQL and DuckDB refuse the one and do the
other right.
"""

from collections.abc import Iterator

from sqlglot import exp

from agent.sql.facts import Block, Facts, Relation
from agent.sql.rules.ask import Ask, refuse
from agent.values.governance import Finding, RuleId

_SHOWN = ("expressions", "having", "order", "qualify")
# Where a bare name is an output's before it is a column's.
_NAMING = (exp.Having, exp.Order)


def check(ask: Ask) -> Iterator[Finding]:
    """Refuses the first ungrouped column of each grouped block over derived tables, and ROLLUP of expressions."""
    if ask.scope.dialect != "mysql":
        return
    for block in ask.facts.blocks:
        group = block.select.args.get("group")
        keys = _keys(block, group)
        if group and group.args.get("rollup") and not all(_is_plain(key, ask.facts) for key in keys):
            yield refuse(RuleId.ROLLUP, security=False)
        if (group or _aggregates(block.select)) and any(_becomes_derived(r, ask.facts) for r in block.relations):
            yield from _ungrouped(block, keys, ask.facts)


def _keys(block: Block, group: exp.Expr | None) -> list[exp.Expr]:
    return [_meant(key, block.select) for key in group.expressions] if group else []


def _meant(key: exp.Expr, select: exp.Select) -> exp.Expr:
    """The expression that a position or an alias in GROUP BY stands for."""
    if isinstance(key, exp.Literal) and key.name.isdecimal() and 0 < int(key.name) <= len(select.expressions):
        output: exp.Expr = select.expressions[int(key.name) - 1]
        return output.unalias()
    named = (output for output in select.expressions if isinstance(key, exp.Column) and not key.args.get("table"))
    found = next((o for o in named if isinstance(o, exp.Alias) and o.alias.lower() == key.name.lower()), None)
    return found.this if found is not None else key


def _is_plain(key: exp.Expr, facts: Facts) -> bool:
    binding = facts.bound(key) if isinstance(key, exp.Column) else None
    return binding is not None and binding.output.origin is not None


def _becomes_derived(relation: Relation, facts: Facts) -> bool:
    if relation.source is None:
        return True
    reference = facts.reference(relation.number)
    return bool(relation.source.row_filter or relation.source.denied or (reference and reference.whole))


def _aggregates(select: exp.Select) -> bool:
    outputs = (node for output in select.expressions for node in _own(output))
    return any(isinstance(node, exp.AggFunc) and not _over_rows(node) for node in outputs)


def _own(root: exp.Expr) -> Iterator[exp.Expr]:
    return root.walk(prune=lambda node: isinstance(node, exp.Query))


def _over_rows(node: exp.Expr) -> bool:
    """Whether a function is a window's own: it sees rows, it does not make one of them."""
    return isinstance(node.parent, exp.Window) and node.arg_key == "this"


def _ungrouped(block: Block, keys: list[exp.Expr], facts: Facts) -> Iterator[Finding]:
    shapes = {_shape(key, facts) for key in keys}
    numbers = {relation.number for relation in block.relations}
    outputs = {output.alias.lower() for output in block.select.expressions if isinstance(output, exp.Alias)}
    stack = [part for name in _SHOWN for part in _listed(block.select.args.get(name))]
    while stack:
        node = stack.pop()
        if _shape(node, facts) in shapes or (isinstance(node, exp.AggFunc) and not _over_rows(node)):
            continue
        if _belongs(node, numbers, facts) and not _names_output(node, block.select, outputs):
            yield refuse(RuleId.UNGROUPED_COLUMN, security=False, column=node.name or "*")
            return
        if not isinstance(node, exp.Query):
            stack.extend(node.iter_expressions())


def _belongs(node: exp.Expr, numbers: set[int], facts: Facts) -> bool:
    if isinstance(node, exp.Star):
        return not isinstance(node.parent, exp.Count)
    binding = facts.bound(node) if isinstance(node, exp.Column) else None
    return binding is not None and binding.owner in numbers


def _names_output(node: exp.Expr, select: exp.Select, outputs: set[str]) -> bool:
    if not isinstance(node, exp.Column) or node.args.get("table") or node.name.lower() not in outputs:
        return False
    clause = node.find_ancestor(exp.Window, *_NAMING)
    return isinstance(clause, _NAMING) and clause.parent is select


def _listed(part: object) -> list[exp.Expr]:
    return [item for item in (part if isinstance(part, list) else [part]) if isinstance(item, exp.Expr)]


def _shape(node: object, facts: Facts) -> object:
    """What two spellings of the same expression have in common: columns are what they stand for."""
    if isinstance(node, list):
        return tuple(_shape(item, facts) for item in node)
    if not isinstance(node, exp.Expr):
        return str(node).lower() if isinstance(node, str) else node
    if isinstance(node, exp.Paren):
        return _shape(node.this, facts)
    binding = facts.bound(node) if isinstance(node, exp.Column) else None
    if binding is not None:
        return binding.owner, binding.output.name.lower()
    if isinstance(node, exp.Literal):
        return node.name, node.is_string
    return type(node).__name__, tuple((name, _shape(part, facts)) for name, part in node.args.items() if part)
