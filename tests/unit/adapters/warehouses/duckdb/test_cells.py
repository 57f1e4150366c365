from datetime import date, datetime, time, timedelta
from decimal import Decimal
from uuid import UUID

import duckdb

from adapters.warehouses.duckdb.cells import cells_of, columns_of

_EVERY_KIND = """
    SELECT 'x' AS a, 1 AS b, 1.5::decimal(4, 2) AS c, 0.5::double AS d, true AS e, date '2026-10-31' AS f,
           timestamp '2026-10-31 09:00:00' AS g, NULL::integer AS h, [1, 2] AS i, {'k': 1} AS j, interval 1 day AS k,
           time '10:00:00' AS l, 'ab'::blob AS m, '00000000-0000-0000-0000-000000000001'::uuid AS n, 1::hugeint AS o
"""


def test_every_kind_of_value_is_a_cell() -> None:
    with duckdb.connect(":memory:") as connection:
        found = cells_of(connection.execute(_EVERY_KIND).fetchall())
    plain = (
        "x",
        1,
        Decimal("1.50"),
        0.5,
        True,
        date(2026, 10, 31),
        datetime.fromisoformat("2026-10-31 09:00:00"),
        None,
    )
    texts = ("[1, 2]", "{'k': 1}", str(timedelta(days=1)), str(time(10)), "0x6162", str(UUID(int=1)))
    assert found == ((*plain, *texts, 1),)


def test_columns_have_the_engines_names_of_their_types() -> None:
    with duckdb.connect(":memory:") as connection:
        description = connection.execute("SELECT 1 AS n, 1.5::decimal(4, 2) AS amount, 'x' AS label").description
    assert columns_of(description or ()) == (("n", "INTEGER"), ("amount", "DECIMAL(4,2)"), ("label", "VARCHAR"))
