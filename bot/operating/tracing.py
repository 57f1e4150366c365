"""Traces: one a turn, over every process that has a part in it. Off unless an endpoint is set.

A span holds names, kinds and codes; never an id of a person, a message, a query or a value.
"""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from time import time_ns
from typing import TYPE_CHECKING, Protocol

from langgraph.errors import GraphBubbleUp

from bot.settings import OperatingSettings
from semantic_catalog.errors import CountersignError, OperatorError

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span

Facts = Mapping[str, str]
_NANOSECONDS = 1_000_000_000


class TracingNotInstalled(OperatorError):
    """Traces are wanted, but the extra that makes them is not installed."""

    code = "tracing_not_installed"


class Tracing(Protocol):
    """Where spans go."""

    def span(self, name: str, facts: Facts, parent: str = "") -> AbstractContextManager[str]:
        """A span of what happens inside, below `parent` (a W3C trace parent) or the span that is open; its own trace
        parent, empty where nothing is traced.
        """
        ...

    def past(self, name: str, seconds: float) -> None:
        """A span that began so many seconds ago and ends now, below the one that is open."""
        ...

    async def close(self) -> None:
        """Send what is not sent yet."""
        ...


class NoTracing:
    """Traces are off."""

    def span(self, name: str, facts: Facts, parent: str = "") -> AbstractContextManager[str]:  # noqa: ARG002
        """Nothing."""
        return nullcontext("")

    def past(self, name: str, seconds: float) -> None:
        """Nothing."""

    async def close(self) -> None:
        """Nothing is kept."""


class OpenTelemetryTracing:
    """Spans of OpenTelemetry, given to a provider of our own: the library's global one is left alone."""

    def __init__(self, provider: "TracerProvider") -> None:
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        self._provider = provider
        self._tracer = provider.get_tracer("countersign")
        self._propagator = TraceContextTextMapPropagator()

    @contextmanager
    def span(self, name: str, facts: Facts, parent: str = "") -> Iterator[str]:
        """See `Tracing`. An error inside is named by its code, or its class; its words may hold content."""
        context = self._propagator.extract({"traceparent": parent}) if parent else None
        attributes = {f"countersign.{key}": value for key, value in facts.items()}
        with self._tracer.start_as_current_span(
            name, context, attributes=attributes, record_exception=False, set_status_on_exception=False
        ) as span:
            carrier: dict[str, str] = {}
            self._propagator.inject(carrier)
            try:
                yield carrier.get("traceparent", "")
            except GraphBubbleUp:
                raise  # The graph pauses: nothing failed.
            except BaseException as error:
                _mark(span, error)
                raise

    def past(self, name: str, seconds: float) -> None:
        """See `Tracing`."""
        self._tracer.start_span(name, start_time=time_ns() - int(seconds * _NANOSECONDS)).end()

    async def close(self) -> None:
        """Send what is not sent yet; an endpoint that does not answer is not waited for long."""
        await asyncio.to_thread(self._provider.shutdown)


def open_tracing(settings: OperatingSettings) -> Tracing:
    """Traces to the configured endpoint, by OTLP over HTTP. Raises `TracingNotInstalled`."""
    if not settings.trace_endpoint:
        return NoTracing()
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
        from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased
    except ImportError as error:
        raise TracingNotInstalled("TRACE_ENDPOINT needs 'countersign[tracing]'") from error
    sampler = ParentBased(TraceIdRatioBased(settings.trace_share))
    provider = TracerProvider(sampler, Resource.create({"service.name": "countersign"}), shutdown_on_exit=False)
    headers = {name: value.get_secret_value() for name, value in settings.trace_headers.items()}
    exporter = OTLPSpanExporter(settings.trace_endpoint, headers=headers, timeout=5)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    return OpenTelemetryTracing(provider)


def _mark(span: "Span", error: BaseException) -> None:
    from opentelemetry.trace import StatusCode

    code = error.code if isinstance(error, CountersignError) else type(error).__name__
    span.set_status(StatusCode.ERROR, code)
