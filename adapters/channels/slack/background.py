"""What goes on after Slack has its answer."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import structlog

Result = TypeVar("Result")

log = structlog.get_logger()


class Background:
    """Tasks that are kept until they end. A task that fails is logged by the name of its error alone."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    def start(self, work: Coroutine[Any, Any, Result]) -> "asyncio.Task[Result]":
        """Start the work and keep it."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._ended)
        return task

    async def close(self) -> None:
        """Wait for what is still going on."""
        await asyncio.gather(*self._running, return_exceptions=True)

    def _ended(self, task: "asyncio.Task[Any]") -> None:
        self._running.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            log.error("slack_background_failed", error=type(error).__name__)
