import asyncio
from contextlib import aclosing
from dataclasses import dataclass

import pytest

from agent.errors import ModelTimeout, QueryFailed, WarehouseUnavailable
from agent.values.completion import Prompt
from agent.values.identity import RunId
from agent.values.usage import used_by
from bot.operating.measured import MeasuredAudit, MeasuredModel, MeasuredWarehouse
from bot.operating.metrics import Metrics
from semantic_catalog.model import DomainName
from tests.contract.shop import checked, governed
from tests.fakes.clock import FrozenClock
from tests.fakes.model import ScriptedModel
from tests.fakes.stores import InMemoryAuditLog
from tests.fakes.warehouse import ScriptedResult, ScriptedWarehouse
from tests.written_logs import lines, logs_written

RUN = RunId("7F3K")
PROMPT = Prompt(agent="sql", rules="", material="zebrafish", name="meaning", schema={})


@dataclass(kw_only=True)
class ClosingWarehouse(ScriptedWarehouse):
    """One with something to give back."""

    async def close(self) -> None:
        """Nothing is held."""


@pytest.fixture
def metrics() -> Metrics:
    return Metrics()


def measured(metrics: Metrics, inner: ClosingWarehouse) -> MeasuredWarehouse:
    return MeasuredWarehouse(inner, DomainName("payments"), metrics, 5)


def value(metrics: Metrics, name: str, **labels: str) -> float | None:
    return metrics.registry.get_sample_value(f"countersign_{name}", labels)


def calls(metrics: Metrics, operation: str, outcome: str) -> float | None:
    return value(metrics, "warehouse_calls_total", domain="payments", operation=operation, outcome=outcome)


async def test_a_query_counts_with_its_rows_and_gives_its_connection_back(metrics: Metrics) -> None:
    warehouse = measured(metrics, ClosingWarehouse(otherwise=ScriptedResult(rows=((1,), (2,), (3,)))))
    batches = [batch async for batch in warehouse.stream(governed("SELECT 1"), RUN)]
    assert sum(len(batch.rows) for batch in batches) == 3
    assert calls(metrics, "query", "ok") == 1
    assert value(metrics, "result_rows_sum", domain="payments") == 3
    assert value(metrics, "warehouse_in_use", domain="payments") == 0
    assert value(metrics, "warehouse_connections_max", domain="payments") == 5


async def test_a_query_that_is_left_early_is_stopped_and_no_failure(metrics: Metrics) -> None:
    warehouse = measured(metrics, ClosingWarehouse(otherwise=ScriptedResult(rows=tuple((n,) for n in range(9)))))
    async with aclosing(warehouse.stream(governed("SELECT 1"), RUN)) as batches:
        await anext(batches)
        assert value(metrics, "warehouse_in_use", domain="payments") == 1
    assert calls(metrics, "query", "stopped") == 1
    assert value(metrics, "warehouse_in_use", domain="payments") == 0


async def test_a_failure_counts_by_its_code_and_is_logged_with_its_domain_and_without_its_words(
    metrics: Metrics,
) -> None:
    warehouse = measured(metrics, ClosingWarehouse(otherwise=ScriptedResult(fails="zebrafish")))
    with logs_written("INFO") as written, pytest.raises(QueryFailed):
        await warehouse.estimate(checked("SELECT 1"))
    assert calls(metrics, "estimate", "query_failed") == 1
    (line,) = lines(written)
    assert (line["domain"], line["operation"], line["code"]) == ("payments", "estimate", "query_failed")
    assert "zebrafish" not in written.getvalue()


async def test_an_engine_that_is_away_is_an_error_line(metrics: Metrics) -> None:
    warehouse = measured(metrics, ClosingWarehouse(away=True))
    with logs_written("INFO") as written, pytest.raises(WarehouseUnavailable):
        await warehouse.members("semantic.shop", "region", 5)
    assert calls(metrics, "members", "warehouse_unavailable") == 1
    assert [line["level"] for line in lines(written)] == ["error"]


async def test_a_query_under_way_is_seen_in_use(metrics: Metrics) -> None:
    inner = ClosingWarehouse()
    inner.open_gate.clear()
    warehouse = measured(metrics, inner)

    async def first() -> None:
        async with aclosing(warehouse.stream(governed("SELECT 1"), RUN)) as batches:
            await anext(batches)

    running = asyncio.create_task(first())
    while not inner.ran:  # noqa: ASYNC110  # until the statement runs
        await asyncio.sleep(0)
    assert value(metrics, "warehouse_in_use", domain="payments") == 1
    inner.open_gate.set()
    await running


async def test_a_models_calls_and_tokens_count_by_agent(metrics: Metrics) -> None:
    model = MeasuredModel(ScriptedModel(replies=[{"ok": True}]), metrics)
    await model.complete(PROMPT)
    assert value(metrics, "model_calls_total", agent="sql", outcome="ok") == 1
    assert value(metrics, "model_tokens_total", agent="sql", direction="in") == 10
    assert value(metrics, "model_tokens_total", agent="sql", direction="out") == 5


async def test_what_a_failed_call_cost_counts_too(metrics: Metrics) -> None:
    late = ModelTimeout("sql")
    late.usage = used_by("sql", 40, 0)
    with pytest.raises(ModelTimeout):
        await MeasuredModel(ScriptedModel(replies=[late]), metrics).complete(PROMPT)
    assert value(metrics, "model_calls_total", agent="sql", outcome="model_timeout") == 1
    assert value(metrics, "model_tokens_total", agent="sql", direction="in") == 40


async def test_audit_events_and_decisions_count_once_they_are_written(metrics: Metrics) -> None:
    kept = InMemoryAuditLog(FrozenClock())
    audit = MeasuredAudit(kept, metrics)
    await audit.append(RUN, "decided", "ana", {"kind": "approve"}, "decided:1")
    await audit.append(RUN, "expired", "bot", {}, "end")
    assert len(kept.events) == 2
    assert value(metrics, "audit_events_total", event="decided") == 1
    assert value(metrics, "decisions_total", kind="approve") == 1
    assert value(metrics, "decisions_total", kind="expired") == 1
