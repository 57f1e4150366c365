"""The small warehouse of the contract in a DuckDB file: a governed schema over a hidden one."""

from pathlib import Path

import duckdb

_TABLES = """
    CREATE SCHEMA hidden;
    CREATE TABLE hidden.sales AS
    SELECT n::integer AS id, day, strftime(day, '%Y-%m') AS month,
           (day + time '23:30')::timestamp AT TIME ZONE 'America/Lima' AS sold_at,
           CASE WHEN n % 10 = 0 THEN NULL ELSE 'region ' || n % 3 END AS region,
           (n / 4.0)::decimal(14, 2) AS amount
    FROM (SELECT n, (date '2026-01-01' + (n % 100)::integer)::date AS day FROM range(1, 2001) AS numbers (n)) AS dated;
    CREATE TABLE secret AS SELECT 'hidden' AS word;
    CREATE SCHEMA shop;
    CREATE VIEW shop.v_sales AS SELECT * FROM hidden.sales;
    CREATE VIEW shop.v_nothing AS SELECT * FROM hidden.sales WHERE false;
"""


def duck_shop(folder: Path) -> Path:
    """Make the shop's file in a folder."""
    path = folder / "shop_file.duckdb"
    with duckdb.connect(path) as connection:
        connection.execute(_TABLES)
    return path
