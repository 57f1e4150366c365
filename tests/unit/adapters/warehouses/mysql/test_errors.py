import pytest
from asyncmy.errors import InterfaceError, MySQLError, OperationalError

from adapters.warehouses.mysql.errors import our_errors
from agent.errors import QueryCancelled, QueryFailed, QueryTimeout, WarehouseUnavailable
from semantic_catalog.errors import CountersignError


def error(number: int, state: str | None) -> MySQLError:
    raised = OperationalError(number, "Duplicate entry 'ana@example.org' for key 'PRIMARY'")
    raised.sqlstate = state
    return raised


def translated(raised: Exception) -> CountersignError:
    with pytest.raises(CountersignError) as caught, our_errors(1.2):
        raise raised
    assert caught.value.__suppress_context__
    return caught.value


@pytest.mark.parametrize("number", [1969, 3024])
def test_a_statement_past_its_time_is_a_timeout_of_whole_seconds(number: int) -> None:
    found = translated(error(number, "70100"))
    assert isinstance(found, QueryTimeout)
    assert found.params == {"seconds": 2}


def test_a_killed_statement_was_cancelled() -> None:
    assert isinstance(translated(error(1317, "70100")), QueryCancelled)


@pytest.mark.parametrize(
    ("number", "state"),
    [(1045, "28000"), (1049, "42000"), (1298, "HY000"), (2003, None), (2006, None), (2013, None), (9999, "08S01")],
)
def test_what_the_engine_or_the_account_is_at_fault_for_is_an_outage(number: int, state: str | None) -> None:
    found = translated(error(number, state))
    assert isinstance(found, WarehouseUnavailable)
    assert found.detail == f"{number} {state or 'OperationalError'}"


@pytest.mark.parametrize("raised", [InterfaceError(0, "Not connected"), ConnectionResetError(104, "reset")])
def test_a_broken_connection_is_an_outage(raised: Exception) -> None:
    assert isinstance(translated(raised), WarehouseUnavailable)


def test_silence_is_an_outage() -> None:
    found = translated(TimeoutError())
    assert isinstance(found, WarehouseUnavailable)
    assert found.detail == "the engine stopped answering"


@pytest.mark.parametrize(("number", "state"), [(1054, "42S22"), (1064, "42000"), (1142, "42000"), (1792, "25006")])
def test_anything_else_is_a_failed_query_of_which_only_the_number_is_told(number: int, state: str) -> None:
    found = translated(error(number, state))
    assert isinstance(found, QueryFailed)
    assert found.detail == f"{number} {state}"
