import asyncio
from datetime import UTC, datetime, timedelta
from time import sleep

import pytest
from langgraph.errors import GraphInterrupt
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from agent.errors import WarehouseUnavailable
from agent.nodes.await_decision import await_decision
from agent.ports import BreakerState
from agent.values.identity import ExternalUser, RunId, TenantId, ThreadKey, UserId
from agent.values.outcome import Failure, Refusal
from agent.values.turn import Audience, Turn
from bot.driver import RunStop
from bot.operating.metrics import Metrics
from bot.operating.tracing import OpenTelemetryTracing
from bot.operating.watch import STAGE_OF, TurnWatch, outcome_name
from tests.architecture.graphs import conversation_edges, nodes, pipeline_edges
from tests.fakes.clock import FrozenClock
from tests.written_logs import lines, logs_written

TURN = Turn(
    event_id="slack:Ev1",
    channel="slack",
    tenant=TenantId("T0HOME"),
    thread=ThreadKey("slack:T0HOME:C0SALES:1.0"),
    author=ExternalUser(channel="slack", tenant=TenantId("T0HOME"), user_id=UserId("U0ANA")),
    audience=Audience(kind="channel"),
    kind="message",
    received_at=datetime(2026, 11, 1, 15, 0, tzinfo=UTC) - timedelta(seconds=7),
    text="approval rate",
)
REFUSED = RunStop(
    outcome=Refusal(run=RunId("7F3K"), locale="en", rule="hidden_column", message=""), state={"run": "7F3K"}
)
FAILED = RunStop(
    outcome=Failure(run=RunId("7F3K"), locale="en", code="internal", message="", reference="7F3K"), state={}
)


@pytest.fixture
def spans() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
def watch(spans: InMemorySpanExporter) -> TurnWatch:
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(spans))
    return TurnWatch(metrics=Metrics(), clock=FrozenClock(), tracing=OpenTelemetryTracing(provider))


def value(watch: TurnWatch, name: str, **labels: str) -> float | None:
    return watch.metrics.registry.get_sample_value(f"countersign_{name}", labels)


def test_every_step_of_the_graphs_belongs_to_a_stage() -> None:
    steps = nodes(conversation_edges()) | nodes(pipeline_edges())
    own = {step for step in steps if not step.startswith("__")} - {"execute", "start", "stop"}
    assert own - STAGE_OF.keys() == set()
    assert STAGE_OF.keys() - own == {"draw", "deliver"}


def test_a_turn_counts_once_by_what_it_ended_with(watch: TurnWatch) -> None:
    with watch.handling(TURN) as handled:
        handled.stop = REFUSED
    assert value(watch, "turns_total", channel="slack", kind="message", outcome="refusal") == 1
    assert value(watch, "turn_seconds_sum", channel="slack") == 7
    assert value(watch, "turns_running") == 0


def test_a_failure_counts_by_its_code(watch: TurnWatch) -> None:
    with watch.handling(TURN) as handled:
        handled.stop = FAILED
    assert value(watch, "failures_total", code="internal") == 1


def test_a_turn_that_comes_back_is_delayed_and_no_failure(watch: TurnWatch) -> None:
    with pytest.raises(WarehouseUnavailable), watch.handling(TURN):
        raise WarehouseUnavailable("payments")
    assert value(watch, "turns_total", channel="slack", kind="message", outcome="delayed") == 1
    assert value(watch, "turn_retries_total", code="warehouse_unavailable") == 1


def test_a_turn_that_is_cut_short_is_stopped_and_has_no_duration(watch: TurnWatch) -> None:
    with pytest.raises(asyncio.CancelledError), watch.handling(TURN):
        raise asyncio.CancelledError
    assert value(watch, "turns_total", channel="slack", kind="message", outcome="stopped") == 1
    assert value(watch, "turn_seconds_count", channel="slack") is None


def test_the_wait_in_the_queue_is_a_stage_of_its_own(watch: TurnWatch, spans: InMemorySpanExporter) -> None:
    with watch.handling(TURN):
        pass
    assert value(watch, "stage_seconds_sum", stage="queue") == 7
    (queue,) = (span for span in spans.get_finished_spans() if span.name == "queue")
    assert (queue.end_time or 0) - (queue.start_time or 0) == pytest.approx(7e9, rel=0.01)


def test_steps_of_one_stage_are_one_figure(watch: TurnWatch) -> None:
    with watch.handling(TURN):
        for step in ("sql_generator", "sql_validator"):
            with watch.step(step):
                pass
    assert value(watch, "stage_seconds_count", stage="sql") == 1
    assert value(watch, "step_seconds_count", step="sql_validator") == 1


def test_time_inside_an_inner_step_counts_for_it_alone(watch: TurnWatch) -> None:
    with watch.handling(TURN), watch.step("deliver"), watch.step("draw"):
        sleep(0.05)
    outer, inner = value(watch, "stage_seconds_sum", stage="deliver"), value(watch, "stage_seconds_sum", stage="draw")
    assert outer is not None
    assert inner is not None
    assert outer < 0.05 <= inner


def test_a_turn_goes_on_in_the_trace_that_took_it_in(watch: TurnWatch, spans: InMemorySpanExporter) -> None:
    with watch.received(TURN) as taken:
        pass
    assert taken.trace
    with watch.handling(taken), watch.step("understand"):
        pass
    found = {span.name: span for span in spans.get_finished_spans()}
    assert len({span.context.trace_id for span in found.values() if span.context}) == 1
    turn, received, step = found["turn"], found["receive"], found["understand"]
    assert turn.parent is not None
    assert received.context is not None
    assert turn.parent.span_id == received.context.span_id
    assert step.attributes == {"countersign.step": "understand"}


def test_what_is_delivered_later_stands_in_its_turns_trace(watch: TurnWatch, spans: InMemorySpanExporter) -> None:
    with watch.received(TURN) as taken:
        pass
    with watch.step("deliver", taken.trace):
        pass
    assert len({span.context.trace_id for span in spans.get_finished_spans() if span.context}) == 1


def test_a_span_that_fails_names_the_code_and_never_the_words(watch: TurnWatch, spans: InMemorySpanExporter) -> None:
    with pytest.raises(WarehouseUnavailable), watch.step("sql_executor"):
        raise WarehouseUnavailable("marker words")
    with pytest.raises(KeyError), watch.step("sql_executor"):
        raise KeyError("marker words")
    told = [span.status.description for span in spans.get_finished_spans()]
    assert told == ["warehouse_unavailable", "KeyError"]
    assert all("marker" not in span.to_json() for span in spans.get_finished_spans())


def test_a_graph_that_pauses_for_an_approval_has_not_failed(watch: TurnWatch, spans: InMemorySpanExporter) -> None:
    with pytest.raises(GraphInterrupt), watch.step(await_decision.__name__):
        raise GraphInterrupt(())
    assert [span.status.is_unset for span in spans.get_finished_spans()] == [True]


def test_without_tracing_a_turn_is_the_same_turn() -> None:
    watch = TurnWatch(metrics=Metrics(), clock=FrozenClock())
    with watch.received(TURN) as taken:
        assert taken is TURN
    assert value(watch, "turns_received_total", channel="slack", kind="message") == 1


def test_breakers_and_limits_are_counted_by_their_names(watch: TurnWatch) -> None:
    watch.breaker("model_sql", "open")
    watch.limited("person_minute")
    assert value(watch, "breaker_state", dependency="model_sql") == 2
    watch.breaker("model_sql", "closed")
    assert value(watch, "breaker_state", dependency="model_sql") == 0
    assert value(watch, "limited_total", limit="person_minute") == 1


def test_a_breaker_that_is_followed_is_asked_when_metrics_are(watch: TurnWatch) -> None:
    states: list[BreakerState] = ["closed"]
    watch.follow("model_sql", lambda: states[-1])
    assert value(watch, "breaker_state", dependency="model_sql") == 0
    states.append("half_open")
    assert value(watch, "breaker_state", dependency="model_sql") == 1


def test_the_last_log_line_of_a_turn_names_run_outcome_and_milliseconds(watch: TurnWatch) -> None:
    with logs_written("INFO") as written, watch.handling(TURN) as handled:
        handled.stop = REFUSED
    (line,) = lines(written)
    assert (line["event"], line["outcome"], line["ms"]) == ("turn_handled", "refusal", {"queue": 7000})
    assert line["run"]


def test_outcomes_are_named_in_small_letters() -> None:
    assert [outcome_name(stop) for stop in (None, REFUSED, FAILED)] == ["none", "refusal", "failure"]
