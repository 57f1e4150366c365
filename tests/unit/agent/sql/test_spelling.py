from collections.abc import Callable, Iterator, Sequence
from datetime import date

import duckdb
import psycopg
import pytest

from agent.codec import decode
from agent.sql.compile.compile import compile_spec, render
from agent.sql.dialects import dialect_of
from agent.sql.guard import check_query
from agent.sql.scope import scope_for
from agent.sql.spelling import identifier, write_days_plainly
from agent.values.governance import CheckedQuery
from agent.values.identity import Principal, PrincipalId, RowRule
from agent.values.spec import QuerySpec
from semantic_catalog.model import CatalogVersion, Dialect, Domain, DomainName
from tests.contract.shop_mysql import HAS_SERVER
from tests.unit.agent.sql.mariadb import mariadb_holding

WORDS = (
    *("period", "value", "version", "sign", "date", "name", "year", "month", "rank", "share", "status", "percent"),
    *("order", "group", "user", "interval", "end", "to", "check", "range", "row", "system", "portion", "system_user"),
    *("references", "current_role", "window", "lateral", "primary", "offset", "returning", "index", "key", "text"),
)
DIALECTS: tuple[Dialect, ...] = ("postgres", "duckdb", *(("mysql",) if HAS_SERVER else ()))
Fetch = Callable[[str], Sequence[tuple[object, ...]]]


@pytest.fixture(params=DIALECTS)
def engine(request: pytest.FixtureRequest) -> Iterator[tuple[Dialect, Fetch]]:
    dialect: Dialect = request.param
    table = _table(dialect)
    if dialect == "postgres":
        with psycopg.connect(request.getfixturevalue("empty_database")) as connection:
            connection.execute(table.encode())
            yield dialect, lambda sql: connection.execute(sql.encode()).fetchall()
    elif dialect == "duckdb":
        with duckdb.connect() as database:
            database.execute(table)
            yield dialect, lambda sql: database.execute(sql).fetchall()
    else:
        request.getfixturevalue("services")
        with mariadb_holding(table) as fetch:
            yield dialect, fetch


def test_columns_named_by_any_word_can_be_asked_for(engine: tuple[Dialect, Fetch]) -> None:
    dialect, fetch = engine
    domain = _domain(dialect)
    for word in WORDS:
        spec = QuerySpec(domain=domain.name, metrics=("things",), dimensions=(word,))  # type: ignore[arg-type]
        sql = render(compile_spec(spec, domain, "en", date(2026, 11, 1)).tree, dialect)
        checked = check_query(sql, scope_for(domain, _reader(), CatalogVersion("1")), "compiled", date(2026, 11, 1))
        assert isinstance(checked, CheckedQuery), word
        assert [tuple(row) for row in fetch(checked.sql)] == [("x", 2)], word


def test_words_are_quoted_only_where_an_engine_reserves_them() -> None:
    assert [identifier(word, "postgres").args["quoted"] for word in ("order", "user", "Amount")] == [True, True, True]
    assert [identifier(word, "mysql").args["quoted"] for word in ("portion", "value", "period")] == [True, False, False]
    assert [identifier(word, "duckdb").args["quoted"] for word in ("end", "sign")] == [True, False]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_only_text_that_is_a_day_becomes_a_literal(dialect: Dialect) -> None:
    tree = dialect_of(dialect).parse(
        "SELECT CAST('2026-10-01' AS DATE), CAST('2026-13-01' AS DATE), CAST('2026-W40-1' AS DATE), CAST(day AS DATE)"
    )[0]
    assert tree is not None
    write_days_plainly(tree)
    shown = tree.sql(dialect=dialect)
    assert shown.startswith("SELECT DATE '2026-10-01', CAST('2026-13-01' AS DATE), CAST('2026-W40-1' AS DATE)")


def _table(dialect: Dialect) -> str:
    quote = "`" if dialect == "mysql" else '"'
    columns = ", ".join(f"{quote}{word}{quote} varchar(9)" for word in WORDS)
    values = ", ".join("'x'" for _ in WORDS)
    return f"CREATE TABLE things (hidden int, {columns}); INSERT INTO things VALUES (0, {values}), (0, {values})"


def _reader() -> Principal:
    """With a row rule, so that the guard writes every column itself too."""
    rule = RowRule(domain=DomainName("words"), source="things", predicate="hidden = 0", label=(("en", "Shown"),))
    return Principal(id=PrincipalId("ana"), roles=(), domains=(DomainName("words"),), row_rules=(rule,))


def _domain(dialect: Dialect) -> Domain:
    entity = {
        "name": "things",
        "source": "things",
        "names": {"label": {"en": "Things"}},
        "grain": [],
        "columns": [{"name": name, "type": "varchar"} for name in ("hidden", *WORDS)],
        "dimensions": [{"dimension": word, "column": word} for word in WORDS],
        "measures": [{"name": "things", "expression": "*", "aggregation": "count"}],
    }
    things = {"name": "things", "kind": "simple", "measure": "things", "format": "count"}
    return decode(
        Domain,
        {
            "name": "words",
            "names": {"label": {"en": "Words"}},
            "warehouse": "words",
            "dialect": dialect,
            "timezone": "UTC",
            "owner": "nobody",
            "locale": "en",
            "entities": [entity],
            "dimensions": [{"name": word, "names": {"label": {"en": word}}} for word in WORDS],
            "metrics": [{**things, "names": {"label": {"en": "Things"}}}],
        },
    )
