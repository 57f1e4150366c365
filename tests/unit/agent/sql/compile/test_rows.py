"""What compiled SQL returns, against queries written by hand over the source's own tables."""

from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal

import psycopg
import pytest

from agent.sql.compile.compile import render
from bot.demo.state import DomainData
from tests.unit.agent.sql.compile.cases import Case, cases, compiled

# What the reader role may not see, with the names the check queries use.
SOURCE_VIEWS = """
CREATE TEMP VIEW tx AS
SELECT t.*, (t.created_at AT TIME ZONE 'America/Lima')::date AS day,
       date_trunc('month', t.created_at AT TIME ZONE 'America/Lima')::date AS month,
       m.merchant_name, m.segment, m.region, c.*, r.response_reason
FROM operational.payment_transactions AS t
JOIN operational.merchants AS m USING (merchant_id)
JOIN analytics.mccs AS c USING (mcc)
JOIN analytics.response_codes AS r USING (response_code);
CREATE TEMP VIEW cb AS
SELECT c.*, date_trunc('month', c.opened_on)::date AS month, t.brand, t.channel, r.reason
FROM operational.chargebacks AS c
JOIN operational.payment_transactions AS t USING (transaction_id)
JOIN analytics.chargeback_reasons AS r USING (reason_code);
"""
Cell = str | int | Decimal | float | date | None


@pytest.fixture(scope="module")
def reader(payments: DomainData) -> Iterator[psycopg.Connection]:
    with psycopg.connect(payments.reader_url) as connection:
        yield connection


@pytest.fixture(scope="module")
def owner(payments: DomainData) -> Iterator[psycopg.Connection]:
    with psycopg.connect(payments.owner_url) as connection:
        connection.execute(SOURCE_VIEWS)
        yield connection
        connection.rollback()


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_rows_equal_the_check_query(case: Case, reader: psycopg.Connection, owner: psycopg.Connection) -> None:
    result = compiled(case.spec)
    cursor = reader.execute(render(result.tree, "postgres").encode())
    rows = [tuple(map(_plain, row)) for row in cursor]
    expected = [tuple(map(_plain, row)) for row in owner.execute(case.check.encode())]
    assert [column.name for column in cursor.description or ()] == [column.name for column in result.columns]
    assert rows == expected
    assert expected or case.name == "no_rows_at_all"


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_cells_have_the_type_their_column_promises(case: Case, reader: psycopg.Connection) -> None:
    result = compiled(case.spec)
    allowed = {"text": str, "integer": int | Decimal, "decimal": Decimal, "date": date}
    for row in reader.execute(render(result.tree, "postgres").encode()):
        for cell, column in zip(row, result.columns, strict=True):
            assert cell is None or isinstance(cell, allowed[column.type])


def _plain(cell: Cell) -> Cell:
    """Numbers to twelve significant digits: one division is done in another order than the other."""
    if isinstance(cell, datetime):
        return cell.date()
    if isinstance(cell, int | Decimal | float):
        return Decimal(f"{Decimal(cell):.12g}").normalize()
    return cell
