"""Whether two questions are the same one."""

from dataclasses import replace

from agent.values.spec import QuerySpec


def same_question(one: QuerySpec, other: QuerySpec) -> bool:
    """Whether two specs ask the same; a signed question that was read again has lost its name."""
    return replace(one, trusted_query=None, entity=None) == replace(other, trusted_query=None, entity=None)
