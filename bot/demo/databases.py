"""Databases and roles of the demo on the embedded server."""

from typing import Any

import psycopg
from psycopg import sql

from bot.embedded import EmbeddedServices

READER = "agent_reader"

# Roles belong to the whole server, so two processes that prepare it at once must take turns.
_ROLES_LOCK = 7_301_114


def ensure_roles(services: EmbeddedServices, owners: tuple[str, ...]) -> None:
    """Make the read-only role of the agent and one owner role per domain, where they do not exist yet.

    The reader can connect only where a database lets it in, and every transaction of it starts read-only.
    """
    with psycopg.connect(services.postgres) as connection:
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_ROLES_LOCK,))
        for role in (READER, *owners):
            _ensure_role(connection, role)
        connection.execute(sql.SQL("ALTER ROLE {} SET default_transaction_read_only = on").format(_READER_NAME))
        connection.execute(sql.SQL("ALTER ROLE {} SET statement_timeout = '60s'").format(_READER_NAME))
        for database in ("postgres", "template1"):
            connection.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(sql.Identifier(database)))


def ensure_database(services: EmbeddedServices, name: str, owner: str) -> None:
    """Make a database that only its owner can enter. Its text sorts by code point, the same on every machine."""
    with psycopg.connect(services.postgres, autocommit=True) as connection:
        if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,)).fetchone() is None:
            connection.execute(
                sql.SQL(
                    "CREATE DATABASE {} OWNER {} TEMPLATE template0 LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8'"
                ).format(sql.Identifier(name), sql.Identifier(owner))
            )
        connection.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(sql.Identifier(name)))


def admit_reader(services: EmbeddedServices, database: str, schema: str) -> None:
    """Let the reader connect to a database, and take away what PostgreSQL lets everyone do in one.

    Names without a schema mean the reader's `schema`.
    """
    with psycopg.connect(services.database_url(database)) as connection:
        connection.execute(sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(sql.Identifier(database), _READER_NAME))
        connection.execute(
            sql.SQL("ALTER ROLE {} IN DATABASE {} SET search_path = {}").format(
                _READER_NAME, sql.Identifier(database), sql.Identifier(schema)
            )
        )
        connection.execute("REVOKE ALL ON SCHEMA public FROM PUBLIC")
        connection.execute("REVOKE EXECUTE ON FUNCTION lo_creat(integer), lo_create(oid) FROM PUBLIC")
        connection.execute("REVOKE EXECUTE ON FUNCTION lo_from_bytea(oid, bytea) FROM PUBLIC")


_READER_NAME = sql.Identifier(READER)


def _ensure_role(connection: psycopg.Connection[Any], role: str) -> None:
    if connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (role,)).fetchone() is None:
        connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(role)))
