import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import duckdb
import psycopg
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from psycopg import sql as pgsql

from agent.values.governance import CheckedQuery
from semantic_catalog.model import Dialect
from tests.unit.agent.sql.shop import JANUARY, cases, decide, decide_in, shop
from tests.unit.agent.sql.twins.data import COLUMNS, rows
from tests.unit.agent.sql.twins.shapes import statements

Run = Callable[[str], object]
RBAC = [case for case in cases("attacks.jsonl") if case.group == "rbac"]


@contextmanager
def postgres(url: str) -> Iterator[tuple[Run, Run]]:
    with psycopg.connect(url, autocommit=True) as connection:
        yield tuple(_postgres_twin(connection, name, everything=name == "whole") for name in ("whole", "visible"))  # type: ignore[misc]


def _postgres_twin(connection: psycopg.Connection, schema: str, *, everything: bool) -> Run:
    name = pgsql.Identifier(schema)
    connection.execute(pgsql.SQL("CREATE SCHEMA {}").format(name))
    for table, columns in COLUMNS.items():
        connection.execute(
            pgsql.SQL("CREATE TABLE {}.{} ({})").format(name, pgsql.Identifier(table), pgsql.SQL(columns))
        )
        for row in rows(table, everything=everything):
            places = pgsql.SQL(", ").join([pgsql.Placeholder()] * len(row))
            connection.execute(
                pgsql.SQL("INSERT INTO {}.{} VALUES ({})").format(name, pgsql.Identifier(table), places), row
            )
    connection.execute("ANALYZE")

    def run(statement: str) -> object:
        try:
            return sorted(map(repr, connection.execute(statement.replace("public.", f"{schema}.")).fetchall()))
        except psycopg.Error as error:
            return error.sqlstate

    return run


def _duckdb_twin(*, everything: bool) -> Run:
    connection = duckdb.connect()
    for table, columns in COLUMNS.items():
        connection.execute(f"CREATE TABLE {table} ({columns})")
        for row in rows(table, everything=everything):
            connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", list(row))

    def run(statement: str) -> object:
        try:
            return sorted(map(repr, connection.execute(statement).fetchall()))
        except duckdb.Error as error:
            return type(error).__name__

    return run


@pytest.fixture
def twins(empty_database: str) -> Iterator[dict[str, tuple[Run, Run]]]:
    with postgres(empty_database) as pair:
        yield {"postgres": pair, "duckdb": (_duckdb_twin(everything=True), _duckdb_twin(everything=False))}


def test_no_attack_on_row_rules_sees_a_forbidden_row(twins: dict[str, tuple[Run, Run]]) -> None:
    ran = 0
    for case in RBAC:
        answer = decide(case.sql, case.dialect, "model")
        if isinstance(answer, CheckedQuery) and case.dialect in twins:
            whole, visible = twins[case.dialect]
            # A LIMIT without an order may pick any of the permitted rows.
            every = re.sub(r"LIMIT \d+$", "", answer.sql)
            assert whole(every) == visible(every), case.sql
            ran += 1
    assert ran > 20


def test_the_oracle_notices_a_query_without_row_rules(twins: dict[str, tuple[Run, Run]]) -> None:
    for table, (whole, visible) in (("public.orders", twins["postgres"]), ("orders", twins["duckdb"])):
        assert whole(f"SELECT COUNT(*) FROM {table}") != visible(f"SELECT COUNT(*) FROM {table}")


@pytest.mark.parametrize("dialect", ["postgres", "duckdb"])
def test_no_accepted_query_depends_on_a_forbidden_row(twins: dict[str, tuple[Run, Run]], dialect: Dialect) -> None:
    accepted: list[str] = []
    whole, visible = twins[dialect]

    @settings(
        max_examples=250,
        deadline=None,
        database=None,
        phases=[Phase.explicit, Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(statement=statements())
    def same_answer(statement: str) -> None:
        answer = decide(statement, dialect, "model")
        if isinstance(answer, CheckedQuery):
            accepted.append(statement)
            assert whole(answer.sql) == visible(answer.sql), answer.sql

    same_answer()
    assert len(accepted) > 100


def test_an_expression_that_fails_on_a_forbidden_row_is_not_tried_on_it(twins: dict[str, tuple[Run, Run]]) -> None:
    slow_rule = " OR ".join(f"region = 'E{letter}'" for letter in "ABCDEFGU")
    scope = shop("postgres")
    sources = tuple(replace(s, row_filter=slow_rule) if s.name == "orders" else s for s in scope.sources)
    sql = f"SELECT COUNT(*) FROM orders WHERE {JANUARY} AND 100 / (net_amount - 5) > 0"
    answer = decide_in(replace(scope, sources=sources), sql)
    assert isinstance(answer, CheckedQuery)
    whole, visible = twins["postgres"]
    assert whole(answer.sql.replace("OFFSET 0", "")) == "22012"
    assert whole(answer.sql) == visible(answer.sql)
