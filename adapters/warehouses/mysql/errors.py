"""The one place where errors of MySQL and MariaDB become ours."""

import math
from collections.abc import Iterator
from contextlib import contextmanager

from asyncmy.errors import MySQLError

from agent.errors import QueryCancelled, QueryFailed, QueryTimeout, WarehouseUnavailable

# MariaDB's and MySQL's own statement timeouts, and a statement killed by somebody.
_TIMEOUTS = frozenset({1969, 3024})
_KILLED = 1317
# The driver's own numbers: no connection, a lost one, a broken one.
_CLIENT = range(2000, 3000)
# What says that the engine, the account or the way there is at fault, not the query: too many connections, handshake,
# sign-in, no such database, shutdown, host blocked, network, lock wait, deadlock, limits of the account, unknown time
# zone, expired password, locked account, killed connection, encryption required, idle disconnect.
_ENGINE = frozenset(
    {1040, 1042, 1043, 1045, 1049, 1053, 1077, 1079, 1129, 1130, 1152, 1158, 1159, 1160, 1161, 1184, 1203, 1205, 1213}
    | {1226, 1298, 1698, 1820, 1862, 1927, 3118, 3159, 4031, 4151}
)
_ENGINE_CLASSES = ("08", "28")
# Of these: a lock wait and a deadlock.
_LOCKED = frozenset({1205, 1213})


@contextmanager
def our_errors(seconds: float) -> Iterator[None]:
    """Raise WarehouseUnavailable, QueryTimeout, QueryCancelled or QueryFailed for what the driver raises inside.

    `seconds` is the statement timeout in force. Nothing of the driver's message survives: it may quote row data.
    """
    try:
        yield
    except TimeoutError:
        raise WarehouseUnavailable("the engine stopped answering") from None
    except (MySQLError, OSError) as error:
        raise _translated(error, seconds) from None


def described(error: MySQLError | OSError) -> str:
    """Number and SQLSTATE of an error: all that may be logged of it."""
    state = getattr(error, "sqlstate", None)
    return " ".join(filter(None, (str(_number(error)), state or type(error).__name__)))


def is_lost(error: MySQLError | OSError) -> bool:
    """Whether it is the driver that speaks: of a connection that is none any more, never of a statement."""
    number = _number(error)
    return number == 0 or number in _CLIENT


def _translated(
    error: MySQLError | OSError, seconds: float
) -> WarehouseUnavailable | QueryTimeout | QueryCancelled | QueryFailed:
    number = _number(error)
    if number in _TIMEOUTS:
        return QueryTimeout(seconds=math.ceil(seconds))
    if number == _KILLED:
        return QueryCancelled()
    if not _is_engine_fault(error):
        return QueryFailed(described(error))
    return WarehouseUnavailable(described(error), answered=number in _LOCKED)


def _is_engine_fault(error: MySQLError | OSError) -> bool:
    state = getattr(error, "sqlstate", None) or ""
    return is_lost(error) or _number(error) in _ENGINE or state[:2] in _ENGINE_CLASSES


def _number(error: MySQLError | OSError) -> int:
    first = error.args[0] if error.args else 0
    return first if isinstance(error, MySQLError) and isinstance(first, int) else 0
