"""A process that answers one question and says what that took; `exporting` starts it."""

import asyncio
import json
import sys
from contextlib import suppress
from io import StringIO
from pathlib import Path
from time import perf_counter

from rich.console import Console

from agent.values.outcome import Answer
from bot.logs import configure_logs
from bot.terminal.conversation import Approval, ask_once
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
        asked = await ask_once(opened, told["question"], role="ana", thread="bench", approval=Approval(kind="approve"))
        seconds = perf_counter() - started
        watch.cancel()
        with suppress(asyncio.CancelledError):
            await watch
    assert isinstance(asked.outcome, Answer), asked.outcome
    assert asked.workbook is not None
    return {
        "seconds": seconds,
        "peak_kb": _peak(),
        "rows": asked.outcome.result.row_count,
        "columns": len(asked.outcome.result.columns),
        "workbook": str(asked.workbook),
        "chart": str(asked.chart or ""),
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
