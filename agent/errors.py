"""Errors of the analyst: what the asker can mend and what we must."""

from agent.values.budget import Overrun
from agent.values.usage import NO_USAGE, Usage
from semantic_catalog.errors import AskerError, OperatorError
from semantic_catalog.model import Names


class QueryTimeout(AskerError):
    """The engine stopped the query at its time limit. Params: `seconds`."""

    code = "query_timeout"


class QueryCancelled(AskerError):
    """Somebody stopped the run while its query was running."""

    code = "query_cancelled"


class ResultTooLarge(AskerError):
    """The rows of a query are more than may be kept; it was stopped and nothing of it is kept. Params: `megabytes`."""

    code = "result_too_large"


class ResultExpired(AskerError):
    """The stored rows are past their time: the question has to be run again."""

    code = "result_expired"


class NotComparable(AskerError):
    """A file and governed numbers share nothing of what they were to be compared by. Params: `name`."""

    code = "not_comparable"


class WarehouseUnavailable(OperatorError):
    """The engine cannot be reached or dropped the connection; the turn is kept and tried again.

    `answered`: the engine is there and said itself that it cannot do this now. `domain` is whose engine, where known.
    """

    code = "warehouse_unavailable"

    def __init__(self, detail: str, *, answered: bool = False, domain: str = "") -> None:
        self.answered = answered
        self.domain = domain
        super().__init__(detail)


class WarehouseBusy(WarehouseUnavailable):
    """As many turns of this process as may are at the engine; this one gives its place to others and comes back."""

    code = "warehouse_busy"


class WarehouseResting(WarehouseUnavailable):
    """The engine was not reached several times in a row and is left alone; nothing was asked of it.

    `rests_for` are the seconds until it is tried again, `names` the domain's names where they are known.
    """

    code = "warehouse_resting"

    def __init__(self, detail: str, *, domain: str = "", names: Names | None = None, rests_for: float = 0) -> None:
        self.names = names
        self.rests_for = rests_for
        super().__init__(detail, domain=domain)


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


class GroupsUnavailable(OperatorError):
    """A platform does not say who is in its groups; people have what they have without them.

    `detail` names the method and the platform's code, never a token or a person.
    """

    code = "groups_unavailable"


class SpecNotCompilable(OperatorError):
    """Understanding produced a spec that no governed source can answer: a fault of ours."""

    code = "spec_not_compilable"


class ModelError(OperatorError):
    """A language model gave nothing usable; rules go on without it where they can.

    `detail` names the agent and the kind of failure, never a prompt or a reply; `usage` is what the call cost anyway.
    """

    code = "model_failed"

    def __init__(self, detail: str, usage: Usage = NO_USAGE) -> None:
        self.usage = usage
        super().__init__(detail)


class ModelUnavailable(ModelError):
    """The model's endpoint cannot be reached, fails, or has failed so often that it is left alone for a while."""

    code = "model_unavailable"


class ModelTimeout(ModelError):
    """The model did not finish its answer in time."""

    code = "model_timeout"


class ModelRateLimited(ModelError):
    """The model's endpoint takes no more requests for now; `retry_after` are the seconds it asked for, if it did."""

    code = "model_rate_limited"

    def __init__(self, detail: str, retry_after: float | None = None) -> None:
        self.retry_after = retry_after
        super().__init__(detail)


class ModelRefused(ModelError):
    """The model declined to answer, or its provider's filter did."""

    code = "model_refused"


class ModelMalformed(ModelError):
    """The model answered, but not with the JSON that was asked for."""

    code = "model_malformed"


class ModelOverBudget(ModelError):
    """No model was asked: what is left of the day's budget has no room for it. `overrun` says which limit."""

    code = "model_over_budget"

    def __init__(self, detail: str, overrun: Overrun | None = None) -> None:
        self.overrun = overrun
        super().__init__(detail)
