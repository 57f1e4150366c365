"""How a DuckDB warehouse is used."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class DuckDbOptions:
    """Limits and habits of one warehouse. Times are seconds; `timezone` is the IANA name its timestamps come back in.

    DuckDB has no accounts: `schemas` are those whose tables and views governed SQL may read, and it sees no other.
    Nothing is spilled to disk, so `memory` (as `512MB`) bounds a statement together with `threads`.
    """

    timezone: str = "UTC"
    schemas: tuple[str, ...] = ("main",)
    memory: str = "1GB"
    threads: int = 2
    max_connections: int = 4
    acquire_timeout: float = 10
    lookup_timeout: float = 15
    batch_rows: int = 200
