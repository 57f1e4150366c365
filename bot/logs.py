"""Structured logs: one JSON object a line, with the run and never with content.

Our own lines hold names, codes and counts. Of a library's line only its logger, its place in the code and the class of
its error are written: its words may quote what people wrote, rows or tokens.
"""

import logging
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

_OURS = ("bot", "adapters", "cards", "agent", "semantic_catalog")
_QUIET = (
    "slack_bolt",
    "slack_sdk",
    "procrastinate",
    "botbuilder",
    "botframework",
    "msal",
    "urllib3",
    "aiohttp.access",
    "psycopg.pool",
)
_MOST_FRAMES = 12


def configure_logs(level: str, stream: TextIO | None = None) -> None:
    """Send our events from `level` on, and libraries' warnings, to `stream` (standard error) as JSON."""
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level)),
    )
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, _place_alone],
            processors=[
                _error_without_words,
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(ensure_ascii=False),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(max(logging.getLevelName(level), logging.WARNING))
    for name in _OURS:
        logging.getLogger(name).setLevel(level)
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.ERROR)


def _place_alone(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """A library's line without its words."""
    record: logging.LogRecord = event["_record"]
    action = getattr(record, "action", "")
    named = {"action": action} if isinstance(action, str) and action else {}
    place = f"{record.module}:{record.lineno}"
    return {**event, "event": "library", "logger": record.name, "place": place, **named}


def _error_without_words(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """The classes of an error and its causes, and where it was raised; its words may hold content."""
    given = event.pop("exc_info", None) or getattr(event.get("_record"), "exc_info", None)
    error = _error_of(given)
    if error is None:
        return event
    return {**event, "error": list(_classes(error)), "frames": _frames(error.__traceback__)}


def _error_of(given: object) -> BaseException | None:
    if isinstance(given, BaseException):
        return given
    if isinstance(given, tuple):
        return given[1] if isinstance(given[1], BaseException) else None
    return sys.exc_info()[1] if given else None


def _classes(error: BaseException) -> Iterator[str]:
    current: BaseException | None = error
    while current is not None:
        yield f"{type(current).__module__}.{type(current).__qualname__}"
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)


def _frames(trace: TracebackType | None) -> list[str]:
    """The innermost places, outermost first, without their lines of code."""
    frames = traceback.extract_tb(trace, limit=-_MOST_FRAMES)
    return [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
