"""The one place where PostgreSQL's errors become ours."""

import asyncio
import math
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg.errors import QueryCanceled

from agent.errors import QueryFailed, QueryTimeout, WarehouseUnavailable

# SQLSTATE classes that say the engine, not the query, is at fault: connection, authorisation, missing database,
# rollback (a standby that had to catch up), operator intervention and system errors.
_ENGINE_CLASSES = frozenset({"08", "28", "3D", "40", "57", "58"})
_TOO_MANY_CONNECTIONS = "53300"
_ROLLED_BACK = "40"


@contextmanager
def our_errors(seconds: float) -> Iterator[None]:
    """Raise WarehouseUnavailable, QueryTimeout or QueryFailed for what the driver raises inside.

    `seconds` is the statement timeout in force. Nothing of the driver's message survives: it may quote row data.
    """
    started = asyncio.get_running_loop().time()
    try:
        yield
    except TimeoutError:
        raise WarehouseUnavailable("the engine stopped answering") from None
    except QueryCanceled as error:
        if asyncio.get_running_loop().time() - started < seconds:
            raise QueryFailed(described(error)) from None
        raise QueryTimeout(seconds=math.ceil(seconds)) from None
    except psycopg.Error as error:
        raise _translated(error) from None


def described(error: psycopg.Error) -> str:
    """SQLSTATE and class of an error: all that may be logged of it."""
    return " ".join(filter(None, (error.sqlstate, type(error).__name__)))


def _translated(error: psycopg.Error) -> WarehouseUnavailable | QueryFailed:
    if not _is_engine_fault(error):
        return QueryFailed(described(error))
    return WarehouseUnavailable(described(error), answered=(error.sqlstate or "")[:2] == _ROLLED_BACK)


def _is_engine_fault(error: psycopg.Error) -> bool:
    state = error.sqlstate
    if state is None:
        return isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
    return state[:2] in _ENGINE_CLASSES or state == _TOO_MANY_CONNECTIONS
