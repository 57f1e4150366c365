"""How often something may happen, and what was too often."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """At most `limit` uses of `key` within a window. `name` says of what it is (`person`, `thread`, `tenant`)."""

    name: str
    key: str
    limit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Excess:
    """A use too many. After `seconds` the rate has room for one more."""

    rate: Rate
    seconds: float
