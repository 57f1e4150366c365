"""Structured logs: one JSON object a line, with the run and never with content."""

import logging
import sys

import structlog
from structlog.typing import Processor

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


def configure_logs(level: str) -> None:
    """Send our events and vendors' warnings to standard error as JSON."""
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
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                structlog.processors.JSONRenderer(ensure_ascii=False),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.ERROR)
