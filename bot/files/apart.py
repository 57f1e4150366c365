"""Work on large files in a process of its own: it neither holds up the turns beside it nor takes them down with it."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from typing import ParamSpec, TypeVar

from agent.errors import WarehouseUnavailable

SMALL_BYTES = 4 * 1024 * 1024
"""Up to this size a thread does: starting a process takes longer than reading the file."""

Given = ParamSpec("Given")
Made = TypeVar("Made")


async def apart(path: Path, work: Callable[Given, Made], *args: Given.args, **kwargs: Given.kwargs) -> Made:
    """What `work`, a plain function of a module, makes of the file at `path`.

    Raises `WarehouseUnavailable` when the process was killed, as for want of memory, and whatever `work` raises.
    """
    if (await asyncio.to_thread(path.stat)).st_size <= SMALL_BYTES:
        return await asyncio.to_thread(work, *args, **kwargs)
    # A fresh interpreter: a copy of this one would hold its connections.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        try:
            return await asyncio.wrap_future(process.submit(work, *args, **kwargs))
        except BrokenProcessPool:
            raise WarehouseUnavailable("the process that read the file ended early") from None
