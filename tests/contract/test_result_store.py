from collections.abc import AsyncIterator, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from adapters.control.postgres.connections import Pool
from adapters.control.postgres.results import CHUNK_ROWS, PostgresResultStore
from agent.errors import ResultExpired
from agent.ports import ResultStore
from agent.values.identity import RunId
from agent.values.result import LONG_ROWS, Cell, LongRows, ResultColumn, ResultTable, Row
from tests.fakes.clock import FrozenClock
from tests.fakes.stores import InMemoryResultStore

RUN = RunId("run-1")
KEEP = timedelta(days=7)
LIMA = ZoneInfo("America/Lima")
NUMBER = (ResultColumn(name="n", label="N", role="metric", type="integer"),)


@pytest.fixture(params=["postgres", "memory"])
def store(request: pytest.FixtureRequest, clock: FrozenClock) -> ResultStore:
    if request.param == "memory":
        return InMemoryResultStore(clock, KEEP)
    pool: Pool = request.getfixturevalue("control")
    return PostgresResultStore(pool, clock, KEEP)


def _numbers(count: int) -> tuple[Row, ...]:
    return tuple((n,) for n in range(count))


@pytest.mark.parametrize(
    "cells",
    [
        pytest.param(("ñandú", "", "null", "\x00 \U0001f600", None), id="text"),
        pytest.param((True, False, None), id="boolean"),
        pytest.param((0, -1, 2**63 - 1, -(2**63), None), id="integer"),
        pytest.param((2**63, -(2**80), 5), id="integer past 64 bits"),
        pytest.param((0.1, -0.0, 1e300, float("inf"), None), id="float"),
        pytest.param((Decimal("1.50"), Decimal("0.33333333333333333333"), Decimal("1E+3"), None), id="decimal"),
        pytest.param((Decimal(10) ** 60 + Decimal("0.01"), Decimal("Infinity")), id="decimal past 38 digits"),
        pytest.param((date(1, 1, 1), date(9999, 12, 31), None), id="date"),
        pytest.param((datetime(2026, 10, 31, 23, 59, 59, 999999), None), id="timestamp without zone"),  # noqa: DTZ001
        pytest.param((datetime(2026, 10, 31, 23, 59, tzinfo=UTC), None), id="timestamp in UTC"),
        pytest.param((datetime(2026, 3, 29, 2, 30, tzinfo=LIMA), None), id="timestamp in a zone"),
        pytest.param(
            (datetime(2026, 10, 25, 2, 30, tzinfo=ZoneInfo("Europe/Madrid"), fold=fold) for fold in (0, 1)),
            id="timestamps of the hour that comes twice",
        ),
        pytest.param((datetime(2026, 1, 1, tzinfo=LIMA), datetime(2026, 1, 1, tzinfo=UTC)), id="several zones"),
        pytest.param((1, Decimal("1.0"), 1.5, True, "1", date(2026, 1, 1), None), id="mixed"),
        pytest.param((None, None), id="nothing but null"),
    ],
)
async def test_cells_come_back_as_they_were(store: ResultStore, cells: tuple[Cell, ...]) -> None:
    rows = tuple((cell, "beside") for cell in cells)
    columns = tuple(ResultColumn(name=name, label=name, role="other", type="text") for name in ("a", "b"))
    ref = await store.write(RUN, columns, rows, truncated=False)
    table = await store.read(ref)
    assert table == ResultTable(columns=columns, rows=rows)
    assert [type(row[0]) for row in table.rows] == [type(row[0]) for row in rows]
    assert [str(row[0]) for row in table.rows] == [str(row[0]) for row in rows]


async def test_another_process_reads_what_one_wrote(control: Pool, clock: FrozenClock) -> None:
    rows: tuple[Row, ...] = ((1, "a", Decimal("1.50")), (None, "b", None))
    columns = tuple(ResultColumn(name=name, label=name, role="other", type="text") for name in "abc")
    ref = await PostgresResultStore(control, clock, KEEP).write(RUN, columns, rows, truncated=False)
    assert await PostgresResultStore(control, clock, KEEP).read(ref) == ResultTable(columns=columns, rows=rows)


async def test_not_a_number_stays_not_a_number(store: ResultStore) -> None:
    ref = await store.write(RUN, NUMBER, ((float("nan"),), (1.0,)), truncated=False)
    assert str((await store.read(ref)).rows) == "((nan,), (1.0,))"


async def test_the_reference_says_what_was_stored(store: ResultStore, clock: FrozenClock) -> None:
    ref = await store.write(RUN, NUMBER, _numbers(3), truncated=True)
    assert (ref.run, ref.columns, ref.row_count, ref.truncated) == (RUN, NUMBER, 3, True)
    assert ref.expires_at == clock.now() + KEEP
    assert not (await store.write(RUN, NUMBER, _numbers(3), truncated=False)).truncated


@pytest.mark.parametrize("limit", [None, 0, 1, CHUNK_ROWS - 1, CHUNK_ROWS, CHUNK_ROWS + 1, 10 * CHUNK_ROWS])
async def test_reads_the_first_rows_in_order(store: ResultStore, limit: int | None) -> None:
    rows = _numbers(2 * CHUNK_ROWS + 5)
    ref = await store.write(RUN, NUMBER, rows, truncated=False)
    assert tuple((await store.read(ref, limit)).rows) == rows[:limit]


async def _in_batches(rows: Sequence[Row], size: int) -> AsyncIterator[Sequence[Row]]:
    for start in range(0, len(rows), size):
        yield rows[start : start + size]


@pytest.mark.parametrize(
    ("count", "most"), [(0, 5), (6, 5), (CHUNK_ROWS, CHUNK_ROWS), (LONG_ROWS, LONG_ROWS), (50_001, 50_000)]
)
async def test_rows_are_stored_as_they_come_up_to_the_most(store: ResultStore, count: int, most: int) -> None:
    rows = _numbers(count)
    ref = await store.write_batches(RUN, _in_batches(rows, 3_001), lambda: NUMBER, most)
    assert (ref.columns, ref.row_count, ref.truncated) == (NUMBER, min(count, most), count > most)
    assert tuple((await store.read(ref)).rows) == rows[:most]


async def test_a_long_result_is_read_by_another_process_a_piece_at_a_time(control: Pool, clock: FrozenClock) -> None:
    rows = _numbers(3 * CHUNK_ROWS + 5)
    ref = await PostgresResultStore(control, clock, KEEP).write_batches(
        RUN, _in_batches(rows, 999), lambda: NUMBER, 10**6
    )
    found = (await PostgresResultStore(control, clock, KEEP).read(ref)).rows
    assert isinstance(found, LongRows)
    assert (len(found), found[0], found[-1], found[CHUNK_ROWS]) == (len(rows), rows[0], rows[-1], rows[CHUNK_ROWS])
    assert found[CHUNK_ROWS - 1 : CHUNK_ROWS + 2] == rows[CHUNK_ROWS - 1 : CHUNK_ROWS + 2]
    assert max(len(piece) for piece in found.pieces()) <= CHUNK_ROWS
    assert tuple(found) == rows


async def test_no_rows_are_a_result_too(store: ResultStore) -> None:
    ref = await store.write(RUN, NUMBER, (), truncated=False)
    assert await store.read(ref) == ResultTable(columns=NUMBER, rows=())


async def test_writing_again_for_the_run_replaces(store: ResultStore) -> None:
    first = await store.write(RUN, NUMBER, _numbers(5), truncated=False)
    second = await store.write(RUN, NUMBER, _numbers(2), truncated=False)
    other = await store.write(RunId("run-2"), NUMBER, _numbers(7), truncated=False)
    with pytest.raises(ResultExpired):
        await store.read(first)
    assert len((await store.read(second)).rows) == 2
    assert len((await store.read(other)).rows) == 7


async def test_rows_are_gone_once_their_time_is_over(store: ResultStore, clock: FrozenClock) -> None:
    ref = await store.write(RUN, NUMBER, _numbers(5), truncated=False)
    clock.advance(KEEP - timedelta(seconds=1))
    assert await store.expire(clock.now()) == 0
    assert len((await store.read(ref)).rows) == 5
    clock.advance(timedelta(seconds=1))
    with pytest.raises(ResultExpired):
        await store.read(ref)
    assert await store.expire(clock.now()) == 1
    assert await store.expire(clock.now()) == 0
