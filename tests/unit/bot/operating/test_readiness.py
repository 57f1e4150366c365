import asyncio
from collections.abc import Awaitable, Callable

from agent.ports import Health
from bot.operating.metrics import Metrics
from bot.operating.readiness import Readiness
from tests.written_logs import lines, logs_written

Check = Callable[[], Awaitable[Health]]


def answering(ok: bool, asked: list[int] | None = None) -> Check:
    async def check() -> Health:
        if asked is not None:
            asked.append(1)
        return Health(ok=ok, detail="" if ok else "refused")

    return check


async def silent() -> Health:
    await asyncio.Event().wait()
    raise AssertionError("never set")


async def test_each_dependency_stands_by_its_name_with_its_seconds() -> None:
    readiness = Readiness({"control": answering(True), "cache": answering(False)}, Metrics())
    known = await readiness.look()
    assert {name: standing.health.ok for name, standing in known.items()} == {"control": True, "cache": False}
    assert all(standing.seconds >= 0 for standing in known.values())


async def test_many_who_ask_at_once_ask_each_dependency_once() -> None:
    asked: list[int] = []
    readiness = Readiness({"control": answering(True, asked)}, Metrics())
    await asyncio.gather(*(readiness.look() for _ in range(20)))
    assert len(asked) == 1


async def test_an_answer_that_is_too_old_is_asked_for_again() -> None:
    asked: list[int] = []
    readiness = Readiness({"control": answering(True, asked)}, Metrics(), good_for=0)
    await readiness.look()
    await readiness.look()
    assert len(asked) == 2


async def test_one_that_never_answers_is_down_and_holds_up_no_other() -> None:
    metrics = Metrics()
    readiness = Readiness({"cache": silent, "control": answering(True)}, metrics, patience=0.05)
    known = await readiness.look()
    assert known["cache"].health == Health(ok=False, detail="no answer")
    assert known["control"].health.ok
    assert metrics.registry.get_sample_value("countersign_dependency_up", {"dependency": "cache"}) == 0
    assert metrics.registry.get_sample_value("countersign_dependency_up", {"dependency": "control"}) == 1


async def test_one_alone_is_asked_without_waiting_for_another() -> None:
    readiness = Readiness({"cache": silent, "control": answering(True)}, Metrics())
    async with asyncio.timeout(1):
        standing = await readiness.look_at("control")
    assert standing is not None
    assert standing.health.ok
    assert await readiness.look_at("ledger") is None


async def test_what_changes_is_logged_once() -> None:
    answers = iter((True, False, False, True, True))

    async def check() -> Health:
        return Health(ok=next(answers))

    with logs_written("INFO") as written:
        readiness = Readiness({"cache": check}, Metrics(), good_for=0)
        for _ in range(5):
            await readiness.look()
    told = [(line["event"], line["dependency"]) for line in lines(written)]
    assert told == [("dependency_down", "cache"), ("dependency_up", "cache")]


async def test_one_that_is_down_from_the_start_is_logged() -> None:
    with logs_written("INFO") as written:
        await Readiness({"cache": answering(False)}, Metrics()).look()
    assert [line["detail"] for line in lines(written)] == ["refused"]
