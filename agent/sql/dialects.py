"""The SQL dialects as the guard reads and writes them."""

from functools import cache

import sqlglot
from sqlglot import exp
from sqlglot.dialects.dialect import Dialect as SqlDialect
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.errors import ErrorLevel

from semantic_catalog.model import Dialect


class QuotedDuckDB(DuckDB):
    """DuckDB as the engine reads it: back-quoted names are names there too."""

    class Tokenizer(DuckDB.Tokenizer):
        """Accepts both quotes; names are written with the standard one."""

        IDENTIFIERS = ['"', "`"]  # noqa: RUF012 - sqlglot reads this class attribute as it is


@cache
def dialect_of(dialect: Dialect) -> SqlDialect:
    """The reader and writer of a dialect."""
    return QuotedDuckDB() if dialect == "duckdb" else SqlDialect.get_or_raise(dialect)


def render(tree: exp.Expr, dialect: Dialect, *, pretty: bool = False) -> str:
    """`tree` as SQL text without comments.

    Raises `sqlglot.errors.UnsupportedError` for what the dialect cannot say, `RecursionError` for a tree too deep.
    """
    return dialect_of(dialect).generate(
        tree, comments=False, pretty=pretty, unsupported_level=ErrorLevel.RAISE, copy=False
    )


@cache
def predicate(sql: str, dialect: Dialect) -> exp.Expr:
    """A row rule as a tree, to be copied before use. Raises `sqlglot.errors.ParseError`."""
    return sqlglot.parse_one(sql, dialect=dialect_of(dialect), into=exp.Condition)
