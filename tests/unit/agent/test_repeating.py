import asyncio

import pytest

from agent.repeating import repeated


async def test_the_job_runs_at_once_and_again_until_the_end() -> None:
    runs = 0
    third = asyncio.Event()

    async def job() -> None:
        nonlocal runs
        runs += 1
        if runs == 3:
            third.set()

    async with repeated(job, 0.01):
        await third.wait()
    seen = runs
    await asyncio.sleep(0.03)
    assert runs == seen


async def test_a_running_job_is_finished_on_the_way_out() -> None:
    finished = False

    async def job() -> None:
        nonlocal finished
        await asyncio.sleep(0.02)
        finished = True

    async with repeated(job, 60):
        await asyncio.sleep(0)
    assert finished


async def test_what_the_job_raises_is_raised_on_the_way_out() -> None:
    async def job() -> None:
        raise LookupError

    with pytest.raises(LookupError):
        async with repeated(job, 60):
            await asyncio.sleep(0.01)
