"""Whether two questions are the same one."""

from dataclasses import replace

from agent.values.spec import QuerySpec


def same_question(one: QuerySpec, other: QuerySpec) -> bool:
    """Whether two specs ask the same; a signed question that was read again has lost its name and its source."""
    return _unsigned(one) == _unsigned(other)


def _unsigned(spec: QuerySpec) -> QuerySpec:
    return replace(spec, trusted_query=None, entity=None if spec.trusted_query else spec.entity)
