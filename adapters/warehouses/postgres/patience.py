"""How long a silent engine is waited for."""

import asyncio
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psycopg
from psycopg import AsyncConnection
from psycopg.rows import TupleRow


@contextmanager
def answering_within(connection: AsyncConnection[TupleRow], seconds: float) -> Iterator[None]:
    """Hang up on an engine that keeps the code inside waiting for `seconds`: TimeoutError, and the connection is dead.

    Cancelling the wait instead would make the driver ask that very engine, for another ten seconds, to stop.
    """
    timer = asyncio.get_running_loop().call_later(seconds, _hang_up, connection)
    try:
        yield
    except psycopg.OperationalError:
        if timer.when() <= asyncio.get_running_loop().time():
            raise TimeoutError from None
        raise
    finally:
        timer.cancel()


def _hang_up(connection: AsyncConnection[TupleRow]) -> None:
    # The driver owns its socket; a shutdown through a copy ends its wait as a lost connection does.
    with suppress(OSError), socket.socket(fileno=os.dup(connection.fileno())) as line:
        line.shutdown(socket.SHUT_RDWR)
