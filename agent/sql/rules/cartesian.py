"""Relations read together are connected by an equality of columns, not by `<>`, `>=` or what is always true."""

from collections.abc import Iterator

from agent.sql.connections import edges_of, groups
from agent.sql.facts import Block, Facts
from agent.sql.rules.ask import Ask, refuse
from agent.values.governance import Finding, RuleId


def check(ask: Ask) -> Iterator[Finding]:
    """Refuses a block with two or more unconnected relations, unless all but one give a single row."""
    for block in ask.facts.blocks:
        apart = _apart(block, ask.facts)
        if apart:
            yield refuse(RuleId.CARTESIAN_JOIN, security=False, left=apart[0], right=apart[1])


def _apart(block: Block, facts: Facts) -> tuple[str, str] | None:
    if any(join.method.upper() == "POSITIONAL" for join in block.joins):
        return block.relations[0].alias, block.relations[-1].alias
    many = [relation.number for relation in block.relations if not relation.single_row]
    if len(many) < 2:
        return None
    found = groups(many, edges_of(block, facts))
    if len(found) < 2:
        return None
    names = {relation.number: relation.alias for relation in block.relations}
    first, second = (sorted(group & names.keys()) for group in found[:2])
    return names[first[0]], names[second[0]]
