"""Fills a database with the domain of scrap metal prices."""

from importlib.resources import files

import psycopg
from psycopg import sql

from bot.demo.parameters import DemoParameters
from bot.demo.scrap_prices.rows import metric_rows, price_rows
from bot.demo.tables import analyse, copy_rows

_PRICES = sql.Identifier("mart", "price_facts")
_METRICS = sql.Identifier("mart", "metrics")


def load(owner_url: str, parameters: DemoParameters) -> None:
    """Replace the schema `mart` by freshly generated data, all or nothing; readers see the old data until the end.

    The role `agent_reader` must exist. Raises `psycopg.Error`.
    """
    with psycopg.connect(owner_url) as connection:
        connection.execute("DROP SCHEMA IF EXISTS mart CASCADE")
        connection.execute(files("bot.demo.scrap_prices").joinpath("schema.sql").read_bytes())
        copy_rows(connection, _PRICES, price_rows(parameters))
        copy_rows(connection, _METRICS, metric_rows(parameters))
    analyse(owner_url, (_PRICES, _METRICS))
