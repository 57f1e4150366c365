"""Shapes whose names cannot be resolved the same way on every setting of the engine."""

from collections.abc import Iterator

from agent.sql.rules.ask import Ask, refuse
from agent.values.governance import Finding, RuleId


def check(ask: Ask) -> Iterator[Finding]:
    """Refuses what the resolver would not decide."""
    for trouble in ask.facts.troubles:
        if trouble.kind == "construct":
            yield refuse(RuleId.UNKNOWN_CONSTRUCT, construct=trouble.name)
