import json
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from pydantic import ValidationError

from agent.codec import decode, encode
from agent.values.result import Cell, ResultSample


@pytest.mark.parametrize(
    "cell",
    [
        "1.50",
        "2026-10-31",
        7,
        True,
        2.0,
        float("inf"),
        Decimal("1.50"),
        date(2026, 10, 31),
        datetime(2026, 10, 31, 12, 0, tzinfo=UTC),
        None,
    ],
)
def test_a_cell_comes_back_as_it_was(cell: Cell) -> None:
    sample = ResultSample(columns=(), rows=((cell,),))
    plain = json.loads(json.dumps(encode(sample), allow_nan=False))
    ((back,),) = decode(ResultSample, plain).rows
    assert (back, type(back)) == (cell, type(cell))


@pytest.mark.parametrize("cell", [{"decimal": "x"}, {"colour": "red"}, {}, ["1"]])
def test_what_is_no_cell_is_refused(cell: object) -> None:
    with pytest.raises(ValidationError):
        decode(ResultSample, {"columns": [], "rows": [[cell]]})
