"""Every metric of a process, under the names that dashboards and alerts use.

No label holds a person, an id or a text: labels are names of ours, of the configuration or of the platforms' methods.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info
from prometheus_client.gc_collector import GCCollector
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

_FAST = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 3.0)
"""The platforms wait three seconds for an acknowledgement."""

_STAGES = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
_TURNS = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 1800.0)
_ROWS = (0, 1, 10, 100, 500, 1_000, 10_000, 100_000, 1_000_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """One metric of ours under the name that queries use (a histogram's series add `_bucket`, `_sum`, `_count`)."""

    name: str
    labels: tuple[str, ...]
    says: str


class Metrics:
    """The metrics of one process, in a registry of their own."""

    def __init__(self) -> None:
        self._families: list[Family] = []
        self.registry = CollectorRegistry()
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=self.registry)
        Info("countersign_build", "The version that runs.", registry=self.registry).info(
            {"version": version("countersign")}
        )
        self._intake()
        self._turns()
        self._queue()
        self._dependencies()
        self._calls()

    def _intake(self) -> None:
        self.received = self._counter(
            "turns_received", "Turns that platforms delivered, repeats included.", "channel", "kind"
        )
        self.intake = self._histogram(
            "intake_seconds", "From a turn's arrival to its place in the inbox.", _FAST, "channel"
        )
        self.acknowledgements = self._histogram(
            "acknowledgement_seconds", "From a platform's request to our answer.", _FAST, "route", "status"
        )
        self.limited = self._counter("limited", "What a limit turned away or made wait.", "limit")

    def _turns(self) -> None:
        says = "Turns handled, by what they ended with; `delayed` ones come back, `none` moved no run."
        self.turns = self._counter("turns", says, "channel", "kind", "outcome")
        self.turn_seconds = self._histogram(
            "turn_seconds", "From a turn's arrival to its outcome's card.", _TURNS, "channel"
        )
        self.turns_running = self._gauge("turns_running", "Turns that this process handles now.")
        self.stages = self._histogram(
            "stage_seconds", "Time a turn spent in a stage, all its steps together.", _STAGES, "stage"
        )
        self.steps = self._histogram("step_seconds", "Time of one step of the graphs.", _STAGES, "step")
        self.retries = self._counter("turn_retries", "Turns put back because a dependency was away.", "code")
        self.failures = self._counter("failures", "Turns that ended with a failure.", "code")
        self.result_rows = self._histogram("result_rows", "Rows of a query's result.", _ROWS, "domain")
        self.audit = self._counter("audit_events", "Events written to the audit log.", "event")
        self.decisions = self._counter("decisions", "Decisions on proposals.", "kind")

    def _queue(self) -> None:
        self.queue_turns = self._gauge("queue_turns", "Turns in the inbox, whole service.", "state")
        self.queue_oldest = self._gauge("queue_oldest_seconds", "Age of the oldest turn that could run and waits.")
        self.workers = self._gauge("workers", "Workers with a heartbeat, whole service.")
        self.processes = self._gauge("processes", "Processes that were seen within 20 seconds, whole service.", "kind")
        self.letters = self._gauge("letters", "Deliveries that are tried again, or were given up (dead).", "state")
        self.approvals = self._gauge("approvals_pending", "Proposals that await a decision, whole service.")
        self.approval_oldest = self._gauge("approvals_oldest_seconds", "Age of the oldest proposal that waits.")
        self.audit_age = self._gauge("audit_checked_seconds", "Age of the last verification of the audit log.")
        self.audit_broken = self._gauge("audit_broken", "1 while that found the log changed behind our back, else 0.")
        self.table_bytes = self._gauge("control_table_bytes", "Size of a table of the control database.", "table")

    def _dependencies(self) -> None:
        self.up = self._gauge("dependency_up", "1 while the dependency answers this process, else 0.", "dependency")
        self.latency = self._gauge("dependency_seconds", "How long its last check took.", "dependency")
        self.breakers = self._gauge("breaker_state", "Circuit breaker: 0 closed, 1 half open, 2 open.", "dependency")
        self.pool = self._gauge("pool_connections", "Connections to the control database.", "state")
        self.pool_waiting = self._gauge("pool_waiting", "Callers that wait for a connection to the control database.")

        self.connections_max = self._gauge(
            "connections_max", "Most connections that this process opens to a server.", "target"
        )
        self.control_connections = self._gauge(
            "control_connections",
            "Connections to the control database: allowed to all processes, claimed by live ones, open by others.",
            "state",
        )
        self.config_faulty = self._gauge(
            "config_faulty", "1 while a file could not be read again and the last good one is in force.", "what"
        )

    def _calls(self) -> None:
        self.warehouse_calls = self._counter(
            "warehouse_calls", "Calls to warehouses.", "domain", "operation", "outcome"
        )
        self.warehouse_seconds = self._histogram(
            "warehouse_seconds", "Time of a warehouse call.", _STAGES, "domain", "operation"
        )
        self.warehouse_in_use = self._gauge("warehouse_in_use", "Warehouse calls under way in this process.", "domain")
        self.warehouse_limit = self._gauge("warehouse_connections_max", "Most connections of this process.", "domain")
        self.model_calls = self._counter(
            "model_calls", "Calls to models; one with its retries is one.", "agent", "outcome"
        )
        self.model_seconds = self._histogram(
            "model_seconds", "Time of a model call with its retries.", _STAGES, "agent"
        )
        self.model_tokens = self._counter("model_tokens", "Tokens sent and received.", "agent", "direction")
        self.platform_calls = self._counter(
            "platform_calls", "Requests to chat platforms.", "platform", "method", "status"
        )
        self.platform_seconds = self._histogram(
            "platform_seconds", "Time of a request to a chat platform.", _STAGES, "platform"
        )

    def families(self) -> tuple[Family, ...]:
        """Every metric of ours, in the order of their subjects."""
        return tuple(self._families)

    def platform(self, name: str) -> Callable[[str, int, float], None]:
        """Counts the requests to one chat platform: the method, the HTTP status (0: none came) and seconds."""

        def seen(method: str, status: int, seconds: float) -> None:
            self.platform_calls.labels(name, method, str(status)).inc()
            self.platform_seconds.labels(name).observe(seconds)

        return seen

    def _counter(self, name: str, says: str, *labels: str) -> Counter:
        self._declare(f"{name}_total", says, labels)
        return Counter(f"countersign_{name}", says, labels, registry=self.registry)

    def _gauge(self, name: str, says: str, *labels: str) -> Gauge:
        self._declare(name, says, labels)
        return Gauge(f"countersign_{name}", says, labels, registry=self.registry)

    def _histogram(self, name: str, says: str, buckets: tuple[float, ...], *labels: str) -> Histogram:
        self._declare(name, says, labels)
        return Histogram(f"countersign_{name}", says, labels, registry=self.registry, buckets=buckets)

    def _declare(self, name: str, says: str, labels: tuple[str, ...]) -> None:
        self._families.append(Family(name=f"countersign_{name}", labels=labels, says=says))
