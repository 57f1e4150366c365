"""Only the governed sources of the principal's domain, wherever and however they are named."""

from collections.abc import Iterator

from agent.sql.rules.ask import Ask, refuse
from agent.values.governance import Finding, RuleId

_RULES = {"source": RuleId.SOURCE_NOT_ALLOWED, "system": RuleId.SYSTEM_SCHEMA}


def check(ask: Ask) -> Iterator[Finding]:
    """Refuses each table that is not a source of the principal's, and the engine's own tables."""
    for trouble in ask.facts.troubles:
        rule = _RULES.get(trouble.kind)
        if rule:
            yield refuse(rule, source=trouble.name)
