"""Control databases for tests: made once, and emptied for the next test instead of being made again."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from importlib.metadata import version
from uuid import uuid4

import psycopg
from psycopg import sql

from adapters.control.postgres.migrate import migrate, migrations
from bot.demo.databases import ensure_database
from bot.embedded import EmbeddedServices
from bot.inbox import Inbox

PREFIX = "control_"
_MAKING = 0x7E57

_TABLES = """
    SELECT n.nspname AS schema, c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN ('countersign', 'public') AND c.relkind = 'r' AND c.relname NOT LIKE '%migrations'
    ORDER BY 1, 2
"""
_SEQUENCES = """
    SELECT setval(c.oid, 1, false) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN ('countersign', 'public') AND c.relkind = 'S'
"""
# Everything but rows that a test may have changed, in one text.
_MADE_OF = """
    SELECT concat_ws(E'\\n',
        (SELECT string_agg(format('%s.%s %s', n.nspname, c.relname, c.relkind), ',' ORDER BY n.nspname, c.relname)
         FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname !~ '^(pg_|information_schema)'),
        (SELECT string_agg(format('%s.%s %s', a.attrelid::regclass, a.attname, a.atttypid), ','
                           ORDER BY a.attrelid, a.attnum)
         FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname !~ '^(pg_|information_schema)' AND a.attnum > 0),
        (SELECT string_agg(format('%s %s', t.tgname, t.tgenabled), ',' ORDER BY t.tgrelid, t.tgname) FROM pg_trigger t),
        (SELECT string_agg(format('%s %s', p.proname, md5(p.prosrc)), ',' ORDER BY p.proname, p.prosrc) FROM pg_proc p
         JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname !~ '^(pg_|information_schema)'),
        (SELECT string_agg(x.conname, ',' ORDER BY x.conname) FROM pg_constraint x),
        (SELECT format('%s %s', d.datconnlimit, d.datallowconn) FROM pg_database d
         WHERE d.datname = current_database()),
        (SELECT string_agg(s.setconfig::text, ',') FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase
         WHERE d.datname = current_database()),
        (SELECT count(*)::text FROM countersign.migrations))
"""
_ALONE = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


class ControlDatabases:
    """Control databases of this version without a row but those of its migrations, each for one test at a time."""

    def __init__(self, services: EmbeddedServices) -> None:
        self._services = services
        self._free: list[str] = []
        self._made_of = ""
        self._seeds: list[tuple[sql.Composed, list[tuple[object, ...]]]] = []

    def take(self) -> str:
        """The name of one that nobody has."""
        return self._free.pop() if self._free else self._make()

    def give_back(self, name: str) -> None:
        """Empty it for the next test; one of which more than rows was changed is dropped."""
        if self._emptied(name):
            self._free.append(name)
        else:
            drop_database(self._services, name)

    def close(self) -> None:
        """Drop them."""
        while self._free:
            drop_database(self._services, self._free.pop())

    def _make(self) -> str:
        name, template = f"test_{uuid4().hex}", _template(self._services)
        execute(
            self._services, sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(*map(sql.Identifier, (name, template)))
        )
        with psycopg.connect(self._services.database_url(name)) as connection:
            self._made_of = _made_of(connection)
            self._seeds = [(table, rows) for table in _tables(connection) if (rows := _rows(connection, table))]
        return name

    def _emptied(self, name: str) -> bool:
        with psycopg.connect(self._services.database_url(name)) as connection:
            connection.execute(_ALONE)
            if _made_of(connection) != self._made_of:
                return False
            # The audit log refuses to be emptied, and foreign keys ask for an order.
            connection.execute("SET session_replication_role = replica")
            for table in _tables(connection):
                connection.execute(sql.SQL("DELETE FROM {}").format(table))
            for table, rows in self._seeds:
                places = sql.SQL(", ").join(sql.Placeholder() * len(rows[0]))
                insert = sql.SQL("INSERT INTO {} OVERRIDING SYSTEM VALUE VALUES ({})").format(table, places)
                connection.cursor().executemany(insert, rows)
            connection.execute(_SEQUENCES)
        return True


@contextmanager
def own_control_database(services: EmbeddedServices) -> Iterator[str]:
    """A control database for one user; yields the superuser's URL."""
    databases = ControlDatabases(services)
    name = databases.take()
    yield services.database_url(name)
    drop_database(services, name)


def drop_database(services: EmbeddedServices, name: str) -> None:
    """Remove it, whoever is connected."""
    execute(services, sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


def execute(services: EmbeddedServices, query: sql.Composed) -> None:
    """Run one statement as the superuser, outside a transaction."""
    with psycopg.connect(services.postgres, autocommit=True) as connection:
        connection.execute(query)


def _template(services: EmbeddedServices) -> str:
    """The name of a migrated database that others are copied from: made once for all processes of a run."""
    own = "".join(migration.digest for migration in migrations())
    theirs = (version(name) for name in ("procrastinate", "langgraph-checkpoint-postgres"))
    name = f"{PREFIX}{sha256(' '.join((own, *theirs)).encode()).hexdigest()[:16]}"
    with psycopg.connect(services.postgres, autocommit=True) as connection:
        # One process makes it, the others wait.
        connection.execute("SELECT pg_advisory_lock(%s)", (_MAKING,))
        found = connection.execute("SELECT datistemplate FROM pg_database WHERE datname = %s", (name,)).fetchone()
        if found is None or not found[0]:
            ensure_database(services, name, "postgres")
            asyncio.run(_prepared(services.database_url(name)))
            connection.execute(sql.SQL("ALTER DATABASE {} IS_TEMPLATE true").format(sql.Identifier(name)))
    return name


async def _prepared(url: str) -> None:
    """What every process does at its start."""
    await migrate(url)
    inbox = Inbox(url)
    await inbox.open()
    await inbox.close()


def _tables(connection: psycopg.Connection) -> list[sql.Composed]:
    found = connection.execute(_TABLES).fetchall()
    return [sql.SQL("{}").format(sql.Identifier(schema, name)) for schema, name in found]


def _rows(connection: psycopg.Connection, table: sql.Composed) -> list[tuple[object, ...]]:
    return connection.execute(sql.SQL("SELECT * FROM {}").format(table)).fetchall()


def _made_of(connection: psycopg.Connection) -> str:
    row = connection.execute(_MADE_OF).fetchone()
    assert row is not None
    return str(row[0])
