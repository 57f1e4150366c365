"""Stands in for an OpenTelemetry collector: takes spans by OTLP over HTTP."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedSpan:
    """A span as it was sent; ids are hexadecimal, an empty parent is none, times are nanoseconds."""

    name: str
    trace: str
    id: str
    parent: str
    facts: Mapping[str, str]
    started: int
    ended: int
    error: str


@dataclass(slots=True, kw_only=True)
class Collector:
    """What came in."""

    url: str = ""
    spans: list[ReceivedSpan] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    headers: list[str] = field(default_factory=list)

    async def take(self, request: web.Request) -> web.Response:
        """Keep the spans of a request."""
        body = await request.read()
        self.bodies.append(body)
        self.headers.append(request.headers.get("x-key", ""))
        sent = ExportTraceServiceRequest.FromString(body)
        for resource in sent.resource_spans:
            for scope in resource.scope_spans:
                self.spans += [_span(span) for span in scope.spans]
        return web.Response(content_type="application/x-protobuf")


@asynccontextmanager
async def collector() -> AsyncIterator[Collector]:
    """One that listens while inside."""
    held = Collector()
    app = web.Application()
    app.router.add_post("/v1/traces", held.take)
    runner = web.AppRunner(app)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        held.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1/traces"
        yield held
    finally:
        await runner.cleanup()


def _span(span: Span) -> ReceivedSpan:
    return ReceivedSpan(
        name=span.name,
        trace=span.trace_id.hex(),
        id=span.span_id.hex(),
        parent=span.parent_span_id.hex(),
        facts={fact.key: fact.value.string_value for fact in span.attributes},
        started=span.start_time_unix_nano,
        ended=span.end_time_unix_nano,
        error=span.status.message,
    )
