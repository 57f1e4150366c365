import pytest
from sqlglot import exp

from agent.sql.read import read
from agent.values.governance import Finding, RuleId
from semantic_catalog.model import Dialect
from tests.unit.agent.sql.shop import DIALECTS

TOO_MUCH = {
    "brackets": "SELECT " + "(" * 40 + "1" + ")" * 40,
    "open brackets": "SELECT " + "(" * 4_000,
    "arrays": "SELECT " + "ARRAY[" * 18 + "1" + "]" * 18,
    "signs": "SELECT " + "NOT " * 300 + "TRUE",
    "casts": "SELECT 1" + "::int" * 300,
    "columns": "SELECT 1" + ", 1" * 9_000,
    "queries": "SELECT 1" + " UNION ALL SELECT 1" * 100,
    "characters": "SELECT '" + "x" * 30_000 + "'",
    "cases": "SELECT " + "CASE WHEN TRUE THEN " * 50 + "1" + " END" * 50,
    "subqueries": "SELECT * FROM " + "(SELECT * FROM " * 40 + "t" + ")" * 40,
}
ENOUGH = {
    "brackets": "SELECT " + "(" * 20 + "1" + ")" * 20,
    "a long list": "SELECT name FROM products WHERE product_id IN (1" + ", 1" * 500 + ")",
    "queries": "SELECT 1" + " UNION ALL SELECT 1" * 20,
    "a long sum": "SELECT 1" + " + 1" * 40,
    "conditions": "SELECT 1 WHERE " + " AND ".join(["a = 1"] * 200),
}


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("sql", TOO_MUCH.values(), ids=TOO_MUCH.keys())
def test_what_could_keep_the_parser_busy_is_not_parsed(sql: str, dialect: Dialect) -> None:
    answer = read(sql, dialect)
    assert isinstance(answer, Finding)
    assert answer.rule == RuleId.TOO_LARGE


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("sql", ENOUGH.values(), ids=ENOUGH.keys())
def test_a_large_honest_query_is_parsed(sql: str, dialect: Dialect) -> None:
    assert isinstance(read(sql, dialect), exp.Query)


@pytest.mark.parametrize("hidden", ["\x00", "\u202e", "\u200b", "\ufeff", "\x1b", "\ud800", "\u2028"])
def test_characters_that_nobody_sees_are_refused(hidden: str) -> None:
    answer = read(f"SELECT 'a{hidden}b'", "postgres")
    assert isinstance(answer, Finding)
    assert answer.rule == RuleId.HIDDEN_TEXT


def test_duckdb_reads_names_in_either_quote() -> None:
    back, straight = read("SELECT `a b` FROM t", "duckdb"), read('SELECT "a b" FROM t', "duckdb")
    assert back == straight
