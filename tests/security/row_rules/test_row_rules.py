import pytest

from semantic_catalog.model import Dialect
from tests.contract.shop_mysql import HAS_SERVER
from tests.security.row_rules.engines import books
from tests.security.row_rules.hunt import hunt
from tests.security.row_rules.oracle import look

DIALECTS: tuple[Dialect, ...] = ("postgres", "duckdb", *(("mysql",) if HAS_SERVER else ()))
# DuckDB plans a statement far more slowly than it runs it.
STATEMENTS: dict[Dialect, int] = {"postgres": 300, "mysql": 300, "duckdb": 100}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_no_accepted_query_depends_on_a_forbidden_row(dialect: Dialect, empty_database: str) -> None:
    with books(dialect, empty_database) as made:
        tally = hunt(dialect, made, STATEMENTS[dialect], start=7)
    assert tally.ran > STATEMENTS[dialect] / 2
    assert tally.with_rows > STATEMENTS[dialect] / 4


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("table", ["fin_actuals", "fin_plan", "trm_accounts", "cebes", "cost_centers"])
def test_the_books_tell_a_missing_row_rule(dialect: Dialect, table: str, empty_database: str) -> None:
    with books(dialect, empty_database) as made:
        results = [ask(f"SELECT * FROM {table}") for ask in made.values()]
    assert results[0] != results[1] != results[2] != results[0]


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    "statement",
    [
        "SELECT COUNT(*) FROM cebes",
        "SELECT a.account FROM trm_accounts AS a WHERE EXISTS (SELECT 1 FROM cebes AS c WHERE c.region = a.account)",
        "SELECT cebe FROM cebes UNION SELECT cost_center FROM cost_centers",
        "WITH cebes AS (SELECT cebe FROM cebes) SELECT COUNT(*) FROM cebes",
        "SELECT RANK() OVER (ORDER BY cebe) FROM cebes",
        "SELECT company FROM companies AS o WHERE company > ALL (SELECT cebe FROM cebes WHERE cebe > o.company)",
    ],
)
def test_statements_of_every_kind_pass_the_guard_and_the_oracle(
    dialect: Dialect, statement: str, empty_database: str
) -> None:
    with books(dialect, empty_database) as made:
        seen = look(statement, dialect, made)
    assert (seen.rules, seen.leak) == (frozenset(), "")
