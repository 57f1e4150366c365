"""A small warehouse to read from: a governed view over a table that the reader may not see."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from uuid import uuid4

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from agent.values.governance import CheckedQuery, Countersignature, GovernedQuery
from agent.values.identity import PrincipalId
from semantic_catalog.model import CatalogVersion, DomainName

_TABLES = """
    CREATE SCHEMA hidden;
    CREATE TABLE hidden.sales AS
    SELECT n AS id, day, to_char(day, 'YYYY-MM')::char(7) AS month,
           (day + time '23:30') AT TIME ZONE 'America/Lima' AS sold_at,
           CASE WHEN n % 10 = 0 THEN NULL ELSE 'region ' || n % 3 END AS region,
           (n / 4.0)::numeric(14, 2) AS amount
    FROM generate_series(1, 2000) AS n, LATERAL (SELECT date '2026-01-01' + n % 100 AS day) AS dated;
    ANALYZE hidden.sales;
    CREATE SCHEMA shop;
    CREATE VIEW shop.v_sales AS SELECT * FROM hidden.sales;
    CREATE VIEW shop.v_nothing AS SELECT * FROM hidden.sales WHERE false;
"""


@contextmanager
def shop(owner_url: str) -> Iterator[str]:
    """Make the shop in an empty database; yields the URL of a role that can only read its views."""
    role = sql.Identifier(f"reader_{uuid4().hex}")
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute(_TABLES)
        owner.execute(sql.SQL("CREATE ROLE {} LOGIN").format(role))
        database = sql.Identifier(owner.info.dbname)
        owner.execute(sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(database, role))
        owner.execute(sql.SQL("GRANT USAGE ON SCHEMA shop TO {}").format(role))
        owner.execute(sql.SQL("GRANT SELECT ON ALL TABLES IN SCHEMA shop TO {}").format(role))
    try:
        yield make_conninfo(owner_url, user=role.as_string().strip('"'))
    finally:
        with psycopg.connect(owner_url, autocommit=True) as owner:
            owner.execute(sql.SQL("DROP OWNED BY {role}; DROP ROLE {role}").format(role=role))


def socket_of(url: str) -> str:
    """The unix socket a URL of the test server leads to."""
    return f"{conninfo_to_dict(url)['host']}/.s.PGSQL.5432"


def checked(text: str, row_limit: int = 1000) -> CheckedQuery:
    """SQL as if the guard had passed it."""
    return CheckedQuery(
        domain=DomainName("shop"),
        dialect="postgres",
        sql=text,
        sources=(),
        row_rules=(),
        row_limit=row_limit,
        principal=PrincipalId("ana"),
        catalog_version=CatalogVersion("1"),
        fingerprint="f",
        origin="compiled",
    )


def governed(text: str, row_limit: int = 1000, timeout_seconds: float = 20) -> GovernedQuery:
    """SQL as if it had been countersigned."""
    signature = Countersignature(by="ana", at=datetime(2026, 11, 1, tzinfo=UTC), tier="asker")
    return GovernedQuery(query=checked(text, row_limit), signature=signature, timeout_seconds=timeout_seconds)
