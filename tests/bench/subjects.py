"""What is measured, by the name that `python -m tests.bench NAME…` takes."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from types import MappingProxyType

from tests.bench.acknowledging import acknowledgement_row
from tests.bench.drawing import LONG_ROWS, drawing_rows
from tests.bench.exporting import export_rows
from tests.bench.files import file_row
from tests.bench.forecasting import forecast_row
from tests.bench.guarding import guard_rows
from tests.bench.loaded import Effort, loaded_rows
from tests.bench.long_thread import long_thread_row
from tests.bench.measuring import Row
from tests.bench.stage import Stage
from tests.bench.turns import turn_rows
from tests.bench.understanding import understanding_row
from tests.bench.wide_understanding import wide_rows

FULL = 40
"""Repetitions of a whole run; with fewer everything is smaller in proportion."""

Subject = Callable[[Stage, int], Awaitable[Sequence[Row]]]


async def _turns(on: Stage, repetitions: int) -> Sequence[Row]:
    return await turn_rows(on, warm_up=3, repetitions=repetitions)


async def _thread(on: Stage, repetitions: int) -> Sequence[Row]:
    length = max(10, min(repetitions * 25, 1000))
    return [await long_thread_row(on, length=length, repetitions=repetitions)]


async def _acknowledgement(on: Stage, repetitions: int) -> Sequence[Row]:
    return [await acknowledgement_row(on, warm_up=20, repetitions=repetitions * 10)]


async def _load(on: Stage, repetitions: int) -> Sequence[Row]:
    share = repetitions / FULL
    return await loaded_rows(
        on,
        Effort(
            questions=max(round(50 * share), 1),
            batches=3,
            waiting=max(round(200 * share), 1),
            slice_seconds=max(5 * share, 0.1),
            slices=4,
        ),
    )


async def _understanding(on: Stage, repetitions: int) -> Sequence[Row]:
    return [await understanding_row(on, warm_up=3, repetitions=repetitions)]


async def _wide(_: Stage, repetitions: int) -> Sequence[Row]:
    return await wide_rows(share=min(repetitions / FULL, 1.0), warm_up=1, repetitions=max(repetitions // 4, 1))


async def _guard(_: Stage, repetitions: int) -> Sequence[Row]:
    return guard_rows(warm_up=1, repetitions=max(repetitions // 10, 1))


async def _forecast(_: Stage, repetitions: int) -> Sequence[Row]:
    return [forecast_row(series=repetitions)]


async def _files(on: Stage, repetitions: int) -> Sequence[Row]:
    return [file_row(on.out, megabytes=min(repetitions * 3, 100))]


async def _drawing(_: Stage, repetitions: int) -> Sequence[Row]:
    return await drawing_rows(repetitions=max(repetitions // 2, 1), long_rows=min(repetitions * 2_500, LONG_ROWS))


async def _export(on: Stage, repetitions: int) -> Sequence[Row]:
    return await export_rows(on, share=min(repetitions / FULL, 1.0))


SUBJECTS: Mapping[str, Subject] = MappingProxyType(
    {
        "turns": _turns,
        "thread": _thread,
        "acknowledgement": _acknowledgement,
        "load": _load,
        "understanding": _understanding,
        "wide": _wide,
        "guard": _guard,
        "forecast": _forecast,
        "files": _files,
        "drawing": _drawing,
        "export": _export,
    }
)
