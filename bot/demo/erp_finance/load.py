"""Fills a database with the ERP's books, on PostgreSQL or on MariaDB."""

from importlib.resources import files

import psycopg
from psycopg import sql

from bot.demo import mariadb
from bot.demo.erp_finance.rows import tables
from bot.demo.parameters import DemoParameters
from bot.demo.tables import analyse, copy_rows


def load_postgres(owner_url: str, parameters: DemoParameters) -> None:
    """Replace the tables of the schema `public` by freshly generated ones, all or nothing.

    The role `agent_reader` must exist. Raises `psycopg.Error`.
    """
    filled = []
    with psycopg.connect(owner_url) as connection:
        connection.execute(files("bot.demo.erp_finance").joinpath("postgres.sql").read_bytes())
        for name, rows in tables(parameters):
            copy_rows(connection, sql.Identifier(name), rows)
            filled.append(sql.Identifier(name))
    analyse(owner_url, filled)


def load_mysql(owner_url: str, parameters: DemoParameters) -> None:
    """Replace the tables by freshly generated ones. The account `agent_reader` must exist.

    The engine has no transactions over table definitions: while this runs, readers may find no table, or an empty one.
    Blocks. Raises `bot.demo.errors.DemoLoadFailed`.
    """
    definitions = files("bot.demo.erp_finance").joinpath("mysql.sql").read_text(encoding="utf-8")
    mariadb.fill(owner_url, definitions, tables(parameters))
