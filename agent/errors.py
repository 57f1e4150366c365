"""Errors of the analyst: what the asker can mend and what we must."""

from semantic_catalog.errors import AskerError, OperatorError


class QueryTimeout(AskerError):
    """The engine stopped the query at its time limit. Params: `seconds`."""

    code = "query_timeout"


class QueryCancelled(AskerError):
    """Somebody stopped the run while its query was running."""

    code = "query_cancelled"


class ResultExpired(AskerError):
    """The stored rows are past their time: the question has to be run again."""

    code = "result_expired"


class WarehouseUnavailable(OperatorError):
    """The engine cannot be reached or dropped the connection; the turn is kept and tried again."""

    code = "warehouse_unavailable"


class QueryFailed(OperatorError):
    """The engine refused governed SQL. `detail` is the engine's error class and code, never row data."""

    code = "query_failed"


class StoreUnavailable(OperatorError):
    """The control store cannot be reached; the turn is tried again."""

    code = "store_unavailable"


class StoreFailed(OperatorError):
    """The control store refused a statement: a fault of ours. `detail` is the error's class and code only."""

    code = "store_failed"


class CacheUnavailable(OperatorError):
    """Redis cannot be reached. Nothing is lost with it: each caller goes on without, or tries again."""

    code = "cache_unavailable"


class SpecNotCompilable(OperatorError):
    """Understanding produced a spec that no governed source can answer: a fault of ours."""

    code = "spec_not_compilable"
