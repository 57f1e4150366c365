"""The shop twice: with every row, and with only the rows that the role may see."""

from collections.abc import Iterator
from datetime import date, timedelta

COLUMNS = {
    "orders": "order_id int, order_date date, customer_id int, product_id int, region text, channel text, status text, "
    "quantity int, net_amount decimal(12,2), discount decimal(12,2)",
    "customers": "customer_id int, name text, region text, segment text, signup_date date, email text, phone text",
    "products": "product_id int, name text, category text, list_price decimal(12,2), unit_cost decimal(12,2)",
    "users": "id int, username text, password_hash text",
}
Row = tuple[object, ...]


def rows(table: str, *, everything: bool) -> list[Row]:
    """The rows of a table; without `everything` only those of region EU, where the table has regions."""
    every = list({"orders": _orders, "customers": _customers, "products": _products, "users": _users}[table]())
    region = {"orders": 4, "customers": 2}.get(table)
    return every if everything or region is None else [row for row in every if row[region] == "EU"]


def _orders() -> Iterator[Row]:
    for n in range(120):
        region = "EU" if n % 3 else "US"
        status = "CANARY" if region == "US" else ("open", "paid")[n % 2]
        day = date(2024, 12, 20) + timedelta(days=n // 2)
        yield n, day, n % 20, n % 7, region, ("web", "shop")[n % 2], status, n % 5, 5 if region == "US" else 10 + n, 1


def _customers() -> Iterator[Row]:
    for n in range(20):
        region = "EU" if n % 4 else "US"
        name = f"c{n}" if region == "EU" else f"CANARY{n}"
        yield n, name, region, "AB"[n % 2], date(2020 + n % 5, 1, 1), f"c{n}@example.com", "555"


def _products() -> Iterator[Row]:
    for n in range(7):
        yield n, f"p{n}", "xyz"[n % 3], n * 10, n


def _users() -> Iterator[Row]:
    yield 1, "root", "hash"
