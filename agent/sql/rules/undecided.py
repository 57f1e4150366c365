"""What the resolver would not decide: names that settings of the engine may read in two ways, and endless columns."""

from collections.abc import Iterator

from agent.sql.rules.ask import Ask, refuse
from agent.values.governance import Finding, RuleId


def check(ask: Ask) -> Iterator[Finding]:
    """Refuses ambiguous names, and queries whose `*` stand for more columns than anybody reads."""
    for trouble in ask.facts.troubles:
        if trouble.kind == "construct":
            yield refuse(RuleId.UNKNOWN_CONSTRUCT, construct=trouble.name)
        if trouble.kind == "size":
            yield refuse(RuleId.TOO_LARGE)
