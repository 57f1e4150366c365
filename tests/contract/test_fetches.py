from datetime import timedelta

import pytest

from adapters.control.postgres.connections import Pool
from adapters.control.postgres.fetches import PostgresFetches
from adapters.control.postgres.results import PostgresResultStore
from agent.ports import Fetches, ResultStore
from agent.values.fetched import Fetched
from agent.values.identity import RunId
from agent.values.result import ResultColumn, ResultSample
from tests.fakes.clock import FrozenClock

RUN = RunId("run-1")
KEEP = timedelta(days=7)
COLUMNS = (ResultColumn(name="n", label="N", role="metric", type="integer"),)


@pytest.fixture
def results(control: Pool, clock: FrozenClock) -> ResultStore:
    return PostgresResultStore(control, clock, KEEP)


@pytest.fixture
def fetches(control: Pool, clock: FrozenClock) -> Fetches:
    return PostgresFetches(control, clock)


async def _fetched(results: ResultStore) -> Fetched:
    ref = await results.write(RUN, COLUMNS, ((1,), (2,)), truncated=False)
    sample = ResultSample(columns=COLUMNS, rows=((1,),))
    return Fetched(fingerprint="f", result=ref, sample=sample, seconds=0.25)


async def test_what_was_fetched_is_known_while_its_rows_are_stored(
    results: ResultStore, fetches: Fetches, clock: FrozenClock
) -> None:
    fetched = await _fetched(results)
    assert await fetches.of(RUN) is None
    await fetches.keep(fetched)
    assert await fetches.of(RUN) == fetched
    assert await fetches.of(RunId("run-2")) is None
    clock.advance(KEEP)
    assert await fetches.of(RUN) is None


async def test_other_rows_of_the_run_were_fetched_for_nothing_known(results: ResultStore, fetches: Fetches) -> None:
    await fetches.keep(await _fetched(results))
    await _fetched(results)
    assert await fetches.of(RUN) is None
