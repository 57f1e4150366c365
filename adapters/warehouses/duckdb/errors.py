"""The one place where DuckDB's errors become ours."""

from collections.abc import Iterator
from contextlib import contextmanager

import duckdb

from agent.errors import QueryFailed, WarehouseUnavailable

_ENGINE_FAULTS = (duckdb.IOException, duckdb.ConnectionException, duckdb.FatalException, duckdb.InternalException)


@contextmanager
def our_errors() -> Iterator[None]:
    """Raise WarehouseUnavailable or QueryFailed for what the engine raises inside; its message may quote row data."""
    try:
        yield
    except _ENGINE_FAULTS as error:
        raise WarehouseUnavailable(type(error).__name__) from None
    except duckdb.Error as error:
        raise QueryFailed(type(error).__name__) from None
    except TimeoutError:
        raise WarehouseUnavailable("every connection stayed in use", answered=True) from None
