"""Many random statements against the books, counted."""

from dataclasses import dataclass, field

from hypothesis import HealthCheck, Phase, given, seed, settings

from semantic_catalog.model import Dialect
from tests.security.row_rules.engines import Books
from tests.security.row_rules.grammar import statements
from tests.security.row_rules.oracle import look


@dataclass(kw_only=True)
class Tally:
    """What a hunt has seen so far."""

    statements: int = 0
    ran: int = 0
    with_rows: int = 0
    refused_by: dict[str, int] = field(default_factory=dict)


def hunt(dialect: Dialect, books: Books, most: int, start: int) -> Tally:
    """Looks at `most` statements drawn from the seed `start`. Raises `AssertionError` with the smallest leak found."""
    tally = Tally()

    @seed(start)
    @settings(
        max_examples=most,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(statement=statements(dialect))
    def no_leak(statement: str) -> None:
        seen = look(statement, dialect, books)
        tally.statements += 1
        tally.ran += seen.ran
        tally.with_rows += seen.rows > 0
        for rule in seen.rules:
            tally.refused_by[rule] = tally.refused_by.get(rule, 0) + 1
        assert not seen.leak, seen.leak

    no_leak()
    return tally
