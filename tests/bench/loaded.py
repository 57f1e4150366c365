"""Rows of a real deployment: what workers get through, and how long Slack waits for its 200 while they are at it."""

from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from time import perf_counter

from tests.bench.deployment import Deployment, bare_handler, deployment
from tests.bench.load import at_once, on_schedule
from tests.bench.measuring import Row, no_collection
from tests.bench.stage import Stage

RATE = 50
"""Events a second."""

WORKERS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How much is asked in each batch, how many batches each number of workers gets, how long events come in."""

    questions: int = 50
    batches: int = 3
    waiting: int = 200
    slice_seconds: float = 5.0
    slices: int = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """Questions that became proposals, and approvals that became answers, a second: one value a batch."""

    proposals: tuple[float, ...]
    answers: tuple[float, ...]


@dataclass(slots=True, kw_only=True)
class Acknowledged:
    """Milliseconds from the instant that each event was due, and how many were not taken the first time."""

    times: list[float] = field(default_factory=list)
    floor_times: list[float] = field(default_factory=list)
    refused: int = 0


async def loaded_rows(stage: Stage, effort: Effort) -> list[Row]:
    """Throughput with one worker and with two; then acknowledgements while both have more to do than they can."""
    async with deployment(stage, "deployment") as running:
        await running.add_worker()
        await _pace(running, max(effort.questions // 5, 1), 1)
        one = await _pace(running, effort.questions, effort.batches)
        await running.add_worker()
        await _pace(running, max(effort.questions // 5, 1), 1)
        two = await _pace(running, effort.questions, effort.batches)
        found = await _acknowledgements(running, effort)
        await running.forget_what_waits()
    return [
        _pace_row(
            "questions to proposals, 2 workers", "mention to posted proposal, by rules", one.proposals, two.proposals
        ),
        _pace_row(
            "approvals to answers, 2 workers", "query, chart, workbook, post, by rules", one.answers, two.answers
        ),
        _acknowledgement_row(found),
    ]


async def _pace(on: Deployment, questions: int, batches: int) -> Pace:
    proposals, answers = [], []
    for _ in range(batches):
        proposals.append(await asked(on, questions))
        answers.append(await approved(on))
    return Pace(proposals=tuple(proposals), answers=tuple(answers))


async def asked(on: Deployment, questions: int) -> float:
    """All at once, until the last proposal stands; proposals a second."""
    began = perf_counter()
    await at_once(range(questions), lambda _: on.insist())
    await on.until_idle()
    return questions / (perf_counter() - began)


async def approved(on: Deployment) -> float:
    """Every open proposal, until the last answer stands; answers a second."""
    waiting = await on.proposals()
    began = perf_counter()
    await at_once(waiting, on.approve)
    await on.until_idle()
    return len(waiting) / (perf_counter() - began)


async def _acknowledgements(on: Deployment, effort: Effort) -> Acknowledged:
    """Events at `serve` and at the bare handler by turns, while workers go through approvals that came before."""
    await asked(on, effort.waiting)
    await at_once(await on.proposals(), on.approve)
    found = Acknowledged()

    async def mention() -> None:
        found.refused += not await on.ask()

    async with AsyncExitStack() as beside:
        bare = await bare_handler(beside, on.folder)
        with no_collection():
            for _ in range(effort.slices):
                found.floor_times += await on_schedule(lambda: on.ask(bare), rate=RATE, seconds=effort.slice_seconds)
                found.times += await on_schedule(mention, rate=RATE, seconds=effort.slice_seconds)
                assert await on.left(), "the workers had nothing left to do"
    return found


def _acknowledgement_row(found: Acknowledged) -> Row:
    return Row(
        name="acknowledgement under load",
        subject_is=f"{RATE} signed mentions a second on a fixed schedule, each from when it was due to its answer,"
        f" while {WORKERS} worker processes answer approved questions; most {max(found.times):,.0f} ms;"
        f" {found.refused} of {len(found.times)} asked for again by 503",
        times=tuple(found.times),
        floor_is="a bare aiohttp handler in a process of its own, the same schedule and the same busy workers, taken in"
        f" turns: tests/bench/bare_handler.py; most {max(found.floor_times):,.0f} ms",
        floor_times=tuple(found.floor_times),
    )


def _pace_row(name: str, what: str, one: tuple[float, ...], two: tuple[float, ...]) -> Row:
    return Row(
        name=name,
        subject_is=f"{what}; two worker processes, 8 turns side by side in each",
        times=two,
        floor_is="one worker process; PostgreSQL, Valkey, `serve` and Slack's stand-in share the same cores",
        floor_times=one,
        unit="a second",
    )
