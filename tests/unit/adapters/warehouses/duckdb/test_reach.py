from collections.abc import Iterator

import duckdb
import pytest
from duckdb import DuckDBPyConnection

from adapters.warehouses.duckdb.reach import refuse_beyond
from agent.errors import QueryFailed

OPEN = frozenset({("main", "sales"), ("shop", "v_sales")})


@pytest.fixture
def cursor() -> Iterator[DuckDBPyConnection]:
    with duckdb.connect(":memory:") as connection:
        yield connection


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1",
        "SELECT 1;",
        "FROM sales",
        "SELECT * FROM Sales s JOIN shop.V_SALES USING (id)",
        "SELECT * FROM memory.main.sales",
        "SELECT * FROM range(3), generate_series(1, 2), unnest([1])",
        "WITH secret AS (SELECT 1) SELECT * FROM secret",
        "WITH a AS (SELECT * FROM sales), b AS (SELECT * FROM a) SELECT * FROM b, (SELECT * FROM a) q",
        "WITH RECURSIVE n AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM n WHERE n < 3) SELECT * FROM n",
        "SELECT (SELECT max(id) FROM sales) UNION ALL SELECT count(*) FROM shop.v_sales",
        "SELECT * FROM (VALUES (1), (2)) AS v (n) WHERE n IN (SELECT id FROM sales)",
    ],
)
def test_one_select_over_the_open_relations_passes(cursor: DuckDBPyConnection, sql: str) -> None:
    refuse_beyond(cursor, sql, OPEN)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM secret",
        "SELECT * FROM hidden.sales",
        "SELECT * FROM other.main.sales",
        "SELECT * FROM memory.hidden.sales",
        "SELECT * FROM main.v_sales",
        "SELECT (SELECT max(id) FROM hidden.sales)",
        "SELECT 1 WHERE EXISTS (SELECT 1 FROM secret)",
        "SELECT 1 UNION ALL SELECT 2 FROM secret",
        "SELECT * FROM sales ORDER BY (SELECT max(id) FROM secret)",
        "SELECT * FROM sales LIMIT (SELECT count(*) FROM secret)",
        "WITH secret AS (SELECT * FROM secret) SELECT * FROM secret",
        "SELECT * FROM secret WHERE EXISTS (WITH secret AS (SELECT 1) SELECT * FROM secret)",
        "WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM read_duckdb('x.duckdb', table_name => 'secret')",
        "SELECT * FROM query('SELECT * FROM secret')",
        "SELECT * FROM query_table('secret')",
        "SELECT * FROM duckdb_settings()",
        "SELECT * FROM duckdb_tables",
        "SELECT * FROM sqlite_master",
        "SELECT * FROM information_schema.tables",
        "SELECT * FROM pg_catalog.pg_class",
        "SHOW TABLES",
        "DESCRIBE secret",
        "SUMMARIZE secret",
        "SELECT * FROM (DESCRIBE secret)",
        "UNPIVOT secret ON word",
    ],
)
def test_what_lies_beyond_is_refused(cursor: DuckDBPyConnection, sql: str) -> None:
    with pytest.raises(QueryFailed, match="beyond"):
        refuse_beyond(cursor, sql, OPEN)


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO sales VALUES (1)",
        "COPY sales TO 'out.csv'",
        "ATTACH 'x.duckdb'",
        "INSTALL httpfs",
        "SET memory_limit = '99GB'",
        "PRAGMA database_list",
        "CALL pragma_version()",
        "EXPLAIN ANALYZE SELECT 1",
        "CREATE TEMP TABLE t AS SELECT 1",
        "PIVOT sales ON id USING count(*)",
        "SELEC 1",
        "",
    ],
)
def test_what_is_no_select_is_refused(cursor: DuckDBPyConnection, sql: str) -> None:
    with pytest.raises(QueryFailed):
        refuse_beyond(cursor, sql, OPEN)


def test_a_second_statement_is_refused(cursor: DuckDBPyConnection) -> None:
    with pytest.raises(QueryFailed, match="more than one"):
        refuse_beyond(cursor, "SELECT 1; SELECT 2", OPEN)
