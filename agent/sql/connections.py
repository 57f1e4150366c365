"""Which relations of a block an equality of columns connects."""

from collections.abc import Iterable, Iterator

from sqlglot import exp

from agent.sql.facts import OUTER, Block, Facts, JoinFact, Relation
from agent.sql.outputs import keeps_apart

Edge = frozenset[int]


def edges_of(block: Block, facts: Facts) -> frozenset[Edge]:
    """Pairs of relations connected by an equality in WHERE, ON, USING or NATURAL, or by a lateral dependence."""
    where = block.select.args.get("where")
    edges = set(_edges(where.this, facts)) if where else set()
    for join in block.joins:
        edges |= _edges(join.on, facts) if join.on is not None else set()
        edges |= set(_shared(join, block))
    for relation in block.relations:
        edges |= {Edge((relation.number, near)) for near in relation.near if _depends(relation, near, facts)}
    return frozenset(edges)


def _depends(relation: Relation, near: int, facts: Facts) -> bool:
    """Whether a relation has other rows for each row of its sibling: a lateral query has to say so by an equality.

    A function, or a query that reads no source, makes its few rows out of the sibling's.
    """
    if relation.lateral is None or relation.lateral.find(exp.Table, exp.GenerateSeries, exp.Explode) is None:
        return True
    return any(_ties(condition, near, facts) for condition in relation.lateral.find_all(exp.EQ, exp.NullSafeEQ))


def _ties(condition: exp.Binary, near: int, facts: Facts) -> bool:
    """Whether a required equality holds a column of the sibling against one that is not the sibling's."""
    parent = condition.parent
    while isinstance(parent, (exp.And, exp.Paren)):
        parent = parent.parent
    if not isinstance(parent, (exp.Where, exp.Join)):
        return False
    owners = [_owners(side, facts) for side in (condition.left, condition.right)]
    telling = all(keeps_apart(side, facts.bound) for side in (condition.left, condition.right))
    return telling and Edge((near,)) in owners and owners[0] != owners[1] and all(owners)


def _owners(side: exp.Expr, facts: Facts) -> Edge:
    bindings = [facts.bound(column) for column in side.find_all(exp.Column)]
    return Edge(binding.owner if binding else OUTER for binding in bindings)


def _edges(condition: exp.Expr, facts: Facts) -> set[Edge]:
    if isinstance(condition, exp.Paren):
        return _edges(condition.this, facts)
    if isinstance(condition, exp.And):
        return set().union(*(_edges(part, facts) for part in condition.flatten()))
    if isinstance(condition, exp.Or):
        return set.intersection(*(_edges(part, facts) for part in condition.flatten()))
    if isinstance(condition, (exp.EQ, exp.NullSafeEQ)):
        return set(_equality(condition, facts))
    return set()


def _equality(condition: exp.EQ | exp.NullSafeEQ, facts: Facts) -> Iterator[Edge]:
    sides = [_relations(side, facts) for side in (condition.left, condition.right)]
    telling = all(keeps_apart(side, facts.bound) for side in (condition.left, condition.right))
    if telling and all(len(side) == 1 for side in sides) and sides[0] != sides[1]:
        yield sides[0] | sides[1]


def _relations(side: exp.Expr, facts: Facts) -> Edge:
    if side.find(exp.Query):
        return Edge()
    bindings = [facts.bound(column) for column in side.find_all(exp.Column)]
    return Edge(binding.relation if binding else OUTER for binding in bindings)


def _shared(join: JoinFact, block: Block) -> Iterator[Edge]:
    natural = join.method.upper() == "NATURAL"
    for left in block.relations:
        for right in block.relations:
            if left.number in join.before and right.number in join.added:
                names = {output.name.lower() for output in left.outputs if output.joins}
                mine = {output.name.lower() for output in right.outputs if output.joins}
                wanted = names & mine if natural else names & mine & {name.lower() for name in join.shared}
                if wanted:
                    yield Edge((left.number, right.number))


def groups(nodes: Iterable[int], edges: Iterable[Edge]) -> list[set[int]]:
    """The nodes in groups that the edges connect; edges may pass through other nodes."""
    found: list[set[int]] = [{node} for node in nodes]
    for edge in edges:
        touching = [group for group in found if group & edge]
        found = [group for group in found if not group & edge]
        found.append(set(edge).union(*touching))
    return [group for group in found if group & set(nodes)]
