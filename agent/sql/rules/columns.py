"""Only columns that exist and may be read; a name that resolves to nothing is treated like a denied one."""

from collections.abc import Iterator

from agent.sql.rules.ask import Ask, refuse
from agent.values.governance import Finding, RuleId


def check(ask: Ask) -> Iterator[Finding]:
    """Refuses denied and unknown columns, whole rows as values, and `*` over a source with denied columns."""
    for trouble in ask.facts.troubles:
        if trouble.kind == "column":
            yield refuse(RuleId.COLUMN_NOT_ALLOWED, column=trouble.name)
