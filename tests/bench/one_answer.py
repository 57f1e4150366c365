"""A process that answers one question and says what that took; `exporting` starts it."""

import asyncio
import json
import sys
from contextlib import suppress
from io import StringIO
from pathlib import Path
from time import perf_counter

from rich.console import Console

from agent.values.outcome import Answer, Proposal
from bot.logs import configure_logs
from bot.terminal.conversation import Approval, decide
from bot.terminal.session import session
from tests.bench.stage import Stage

LOOKS_EVERY_SECONDS = 0.01


async def answered(told: dict[str, str]) -> dict[str, object]:
    """Seconds from question to delivered answer, the process's peak memory, and how late its event loop ever was."""
    on = Stage(control=told["control"], cache=told["cache"], payments=told["payments"], out=Path(told["out"]))
    settings = on.settings(policy_file=Path(told["policy"]))
    async with session(settings, Console(file=StringIO()), on.out) as opened:
        lags: list[float] = []
        watch = asyncio.create_task(_watched(lags))
        started = perf_counter()
        proposal = (await opened.say(told["question"], "ana", "bench")).stop
        assert proposal is not None
        assert isinstance(proposal.outcome, Proposal), proposal.outcome
        approval = Approval(kind="approve")
        stop = (await decide(opened, proposal.outcome, role="ana", thread="bench", approval=approval)).stop
        seconds = perf_counter() - started
        watch.cancel()
        with suppress(asyncio.CancelledError):
            await watch
    assert stop is not None
    assert isinstance(stop.outcome, Answer), stop.outcome
    result, files = stop.outcome.result, opened.channel.files_of(stop.outcome.run)
    return {
        "seconds": seconds,
        "peak_kb": _peak(),
        "rows": result.row_count,
        "columns": len(result.columns),
        "workbook": str(files["workbook"]),
        "chart": str(files.get("chart", "")),
        "latest_loop_ms": 1_000 * max(lags),
        "loop_ms": 1_000 * sorted(lags)[len(lags) * 99 // 100],
    }


async def _watched(lags: list[float]) -> None:
    while True:
        due = perf_counter() + LOOKS_EVERY_SECONDS
        await asyncio.sleep(LOOKS_EVERY_SECONDS)
        lags.append(max(perf_counter() - due, 0.0))


def _peak() -> int:
    # What getrusage tells begins with the peak of the process that started this one.
    status = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))


if __name__ == "__main__":
    configure_logs("ERROR")
    sys.stdout.write(json.dumps(asyncio.run(answered(json.loads(sys.argv[1])))) + "\n")
