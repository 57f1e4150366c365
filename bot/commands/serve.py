"""`countersign serve | worker | all-in-one`."""

import asyncio

from bot.serving import run_service


def serve() -> None:
    """The HTTP app (and Slack's Socket Mode where configured): takes turns in, runs none."""
    asyncio.run(run_service(http=True, worker=False))


def worker() -> None:
    """The job worker: runs turns, posts answers, closes what has expired."""
    asyncio.run(run_service(http=False, worker=True))


def all_in_one() -> None:
    """The HTTP app and a worker in one process."""
    asyncio.run(run_service(http=True, worker=True))
