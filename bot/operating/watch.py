"""What is seen of a turn on its way: counted, timed by stage, traced, and one log line at its end."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from time import perf_counter
from types import MappingProxyType
from typing import Literal

import structlog
from langsmith import tracing_context
from structlog.contextvars import bound_contextvars

from agent.ports import BreakerState, Clock
from agent.values.outcome import Failure
from agent.values.turn import Turn
from bot.driver import RunStop
from bot.failures import TRIED_AGAIN
from bot.operating.metrics import Metrics
from bot.operating.tracing import NoTracing, Tracing
from bot.run_desk import run_of

Stage = Literal["queue", "understand", "sql", "run", "analyze", "draw", "deliver"]

STAGE_OF: Mapping[str, Stage] = MappingProxyType(
    {
        **dict.fromkeys(("restore", "understand", "clarify"), "understand"),
        **dict.fromkeys(("plan", "route", "schema_linker", "sql_generator", "sql_validator", "error_handler"), "sql"),
        **dict.fromkeys(("cost_estimator", "hitl_checker", "await_decision"), "sql"),
        **dict.fromkeys(("feedback_interpreter", "feedback_applier", "feedback_compliance"), "sql"),
        "sql_executor": "run",
        **dict.fromkeys(("result_verifier", "data_analyst", "visualizer", "report_writer"), "analyze"),
        **dict.fromkeys(("response_formatter", "follow_up_restore", "present", "viz_change", "forecast"), "analyze"),
        **dict.fromkeys(("analyze_file", "discuss_data", "session_reference", "general_respond"), "analyze"),
        "draw": "draw",
        "deliver": "deliver",
    }
)
"""The stage that each step of a turn belongs to."""

_BREAKER = {"closed": 0, "half_open": 1, "open": 2}

log = structlog.get_logger()


@dataclass(slots=True, kw_only=True)
class _Tally:
    """How long a turn was in each stage so far, in seconds."""

    stages: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))


@dataclass(slots=True, kw_only=True)
class _Frame:
    """A step under way, and how long steps inside it took."""

    inner: float = 0.0


@dataclass(slots=True, kw_only=True)
class Handled:
    """What the turn came to; set by whoever handles it."""

    stop: RunStop | None = None


_TALLY: ContextVar[_Tally | None] = ContextVar("countersign_tally", default=None)
_FRAME: ContextVar[_Frame | None] = ContextVar("countersign_frame", default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnWatch:
    """Implements `Measures` for one process. `langsmith` says whether runs may go to LangSmith, content and all."""

    metrics: Metrics
    clock: Clock
    tracing: Tracing = field(default_factory=NoTracing)
    langsmith: bool = False

    @contextmanager
    def received(self, turn: Turn) -> Iterator[Turn]:
        """A turn is taken in inside; the same turn with the trace that its handling goes on."""
        started = perf_counter()
        with self.tracing.span("receive", _facts(turn)) as trace:
            yield replace(turn, trace=trace) if trace else turn
        self.metrics.received.labels(turn.channel, turn.kind).inc()
        self.metrics.intake.labels(turn.channel).observe(perf_counter() - started)

    @contextmanager
    def handling(self, turn: Turn) -> Iterator[Handled]:
        """A turn is handled inside. Errors go on to the caller."""
        tally, handled, waited = _Tally(), Handled(), self._since(turn)
        tally.stages["queue"] = waited
        token, ended = _TALLY.set(tally), ""
        with bound_contextvars(**_facts(turn), **_trace_id(turn)):
            try:
                with self._around(turn):
                    self.tracing.past("queue", waited)
                    yield handled
            except TRIED_AGAIN as error:
                ended = "delayed"
                self.metrics.retries.labels(error.code).inc()
                raise
            except BaseException:
                ended = "stopped"
                raise
            finally:
                _TALLY.reset(token)
                self._ended(turn, tally, ended, handled.stop)

    @contextmanager
    def step(self, name: str, trace: str = "") -> Iterator[None]:
        """See `Measures`. Time inside another step counts for the inner one alone."""
        stage = STAGE_OF.get(name, "analyze")
        is_later = _TALLY.get() is None
        around, frame, started = _FRAME.get(), _Frame(), perf_counter()
        token = _FRAME.set(frame)
        try:
            with self.tracing.span(stage, {"step": name}, trace if is_later else ""):
                yield
        finally:
            _FRAME.reset(token)
            self._stepped(name, stage, perf_counter() - started, frame, around)

    def breaker(self, dependency: str, state: BreakerState) -> None:
        """See `Measures`."""
        self.metrics.breakers.labels(dependency).set(_BREAKER[state])

    def follow(self, dependency: str, state: Callable[[], BreakerState]) -> None:
        """The breaker of that dependency is asked for its state whenever metrics are scraped."""
        self.metrics.breakers.labels(dependency).set_function(lambda: _BREAKER[state()])

    def limited(self, limit: str) -> None:
        """See `Measures`."""
        self.metrics.limited.labels(limit).inc()

    @contextmanager
    def _around(self, turn: Turn) -> Iterator[None]:
        # Its library would follow the environment alone and send questions and rows to a third party.
        with (
            tracing_context(enabled=self.langsmith),
            self.metrics.turns_running.track_inprogress(),
            self.tracing.span("turn", _facts(turn), turn.trace),
        ):
            yield

    def _stepped(self, name: str, stage: str, seconds: float, frame: _Frame, around: _Frame | None) -> None:
        own = seconds - frame.inner
        self.metrics.steps.labels(name).observe(own)
        if around is not None:
            around.inner += seconds
        tally = _TALLY.get()
        if tally is not None:
            tally.stages[stage] += own

    def _since(self, turn: Turn) -> float:
        return max(0.0, (self.clock.now() - turn.received_at).total_seconds())

    def _ended(self, turn: Turn, tally: _Tally, cut_short: str, stop: RunStop | None) -> None:
        outcome = cut_short or outcome_name(stop)
        self.metrics.turns.labels(turn.channel, turn.kind, outcome).inc()
        if not cut_short:
            self.metrics.turn_seconds.labels(turn.channel).observe(self._since(turn))
        for stage, spent in tally.stages.items():
            self.metrics.stages.labels(stage).observe(spent)
        if stop is not None and isinstance(stop.outcome, Failure):
            self.metrics.failures.labels(stop.outcome.code).inc()
        spent_ms = {stage: round(spent * 1000) for stage, spent in tally.stages.items()}
        log.info("turn_handled", outcome=outcome, ms=spent_ms)


def outcome_name(stop: RunStop | None) -> str:
    """The kind of outcome, as the metric's label names it; `none` where no run moved."""
    if stop is None:
        return "none"
    name = type(stop.outcome).__name__
    return "no_data" if name == "NoData" else name.lower()


def _facts(turn: Turn) -> dict[str, str]:
    return {"channel": turn.channel, "kind": turn.kind, "run": run_of(turn)}


def _trace_id(turn: Turn) -> dict[str, str]:
    """The id under which the turn's trace is found, where it is traced: the second part of a W3C trace parent."""
    return {"trace": turn.trace.split("-")[1]} if turn.trace else {}
