"""The product's logs, as they are written, into memory."""

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from typing import Any

import structlog

from bot.logs import configure_logs


@contextmanager
def logs_written(level: str = "DEBUG") -> Iterator[StringIO]:
    """Logs configured as a service's while inside; everything of before is put back."""
    root = logging.getLogger()
    named = [logger for logger in root.manager.loggerDict.values() if isinstance(logger, logging.Logger)]
    before = [(logger, logger.level) for logger in (root, *named)]
    handlers, known = root.handlers[:], structlog.get_config()
    stream = StringIO()
    configure_logs(level, stream)
    try:
        yield stream
    finally:
        root.handlers[:] = handlers
        for logger, its_level in before:
            logger.setLevel(its_level)
        structlog.configure(**known)


def lines(stream: StringIO) -> list[dict[str, Any]]:
    """Each line, read."""
    return [json.loads(line) for line in stream.getvalue().splitlines()]
