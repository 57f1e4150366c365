from datetime import date, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from asyncmy.constants import FIELD_TYPE

from adapters.warehouses.mysql.cells import cells_of, columns_of
from agent.values.result import Cell

LIMA = ZoneInfo("America/Lima")
NINE = datetime.fromisoformat("2026-01-01 09:00:00")


@pytest.mark.parametrize(
    ("code", "value", "kind", "cell"),
    [
        (FIELD_TYPE.NEWDECIMAL, Decimal("1.50"), "decimal", Decimal("1.50")),
        (FIELD_TYPE.LONGLONG, 7, "bigint", 7),
        (FIELD_TYPE.DOUBLE, 0.5, "double", 0.5),
        (FIELD_TYPE.DATE, date(2026, 10, 31), "date", date(2026, 10, 31)),
        (FIELD_TYPE.DATE, "0000-00-00", "date", None),
        (FIELD_TYPE.DATETIME, "2026-02-31 10:00:00", "datetime", None),
        (FIELD_TYPE.DATETIME, NINE, "datetime", NINE),
        (FIELD_TYPE.TIMESTAMP, NINE, "timestamp", NINE.replace(tzinfo=LIMA)),
        (FIELD_TYPE.TIMESTAMP, "0000-00-00 00:00:00", "timestamp", None),
        (FIELD_TYPE.TIME, timedelta(hours=26, minutes=5, seconds=9), "time", "26:05:09"),
        (FIELD_TYPE.TIME, -timedelta(minutes=5, microseconds=500_000), "time", "-00:05:00.500000"),
        (FIELD_TYPE.BIT, b"\x01\x00", "bit", 256),
        (FIELD_TYPE.VAR_STRING, "Лом", "text", "Лом"),
        (FIELD_TYPE.BLOB, b"\xff\x00", "text", "0xff00"),
        (FIELD_TYPE.JSON, '{"a": 1}', "json", '{"a": 1}'),
        (FIELD_TYPE.VAR_STRING, None, "text", None),
        (FIELD_TYPE.NULL, None, "text", None),
    ],
)
def test_every_kind_of_value_is_a_cell(code: int, value: object, kind: str, cell: Cell) -> None:
    description = (("c", code, None, 1, 1, 0, True),)
    assert columns_of(description) == (("c", kind),)
    assert cells_of([(value,)], description, "America/Lima") == ((cell,),)


def test_rows_keep_their_order_and_width() -> None:
    description = (("n", FIELD_TYPE.LONG), ("label", FIELD_TYPE.VAR_STRING))
    assert cells_of([(1, "a"), (2, None)], description, "UTC") == ((1, "a"), (2, None))
