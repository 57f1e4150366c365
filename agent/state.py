"""What a run carries from step to step: plain JSON, so that any checkpoint can be read by any version."""

from typing import Any, Literal, TypedDict, TypeVar

from agent.codec import decode, encode
from agent.values.governance import Origin
from agent.values.outcome import (
    Answer,
    Clarification,
    Failure,
    NoData,
    Outcome,
    Proposal,
    Refusal,
    Rejected,
    Reply,
)
from agent.values.spec import QuerySpec
from agent.values.usage import Usage, added
from semantic_catalog.model import LOCALES, Locale

Value = TypeVar("Value")
Json = Any

_OUTCOMES = (Answer, Clarification, Failure, NoData, Proposal, Refusal, Rejected, Reply)


class RunState(TypedDict, total=False):
    """Both graphs share it. Every value is encoded by `agent.codec`; an outcome by `encode_outcome`."""

    run: str
    thread: str
    asker: str
    asker_name: str
    text: str
    locale: str | None
    memory: Json
    personal: Json
    about: str
    chosen: Json
    schedule: str
    sent_as: str
    condition: Json
    pinned: list[list[str]]
    rounds: int
    understanding: Json
    language: str
    spec: Json
    usage: Json
    repair: Json
    change: Literal["words", "sql", "undo"]
    feedback: Json
    operations: Json
    revisions: Json
    turned_down: str
    origin: Origin
    revision: int
    changes: list[str]
    offers: list[list[str]]
    path: str
    linked: list[str]
    attempts: int
    sql: str
    columns: Json
    query: Json
    findings: Json
    estimate: Json
    signature: Json
    decision: Json
    proposal: Json
    result: Json
    sample: Json
    seconds: float
    newest: Json
    answer_key: str
    reused: Json
    data_until: str
    verification: Json
    kpis: Json
    chart: Json
    narrative: Json
    outcome: Json


def read(state: RunState, key: str, kind: type[Value]) -> Value:
    """The decoded value under `key`; `KeyError` when no step has written it."""
    return decode(kind, state[key])  # type: ignore[literal-required]  # keys are those of RunState


def spec_of(state: RunState) -> QuerySpec | None:
    """The spec that the run's SQL is compiled from; None where a model or a person wrote the SQL."""
    return decode(QuerySpec, state["spec"]) if state.get("spec") else None


def usage_of(state: RunState) -> Usage:
    """What models cost the run so far."""
    return decode(Usage, state["usage"]) if state.get("usage") else Usage()


def spent(state: RunState, usage: Usage) -> RunState:
    """The update that adds a use of models to the run's."""
    return {"usage": encode(added(usage_of(state), usage))}


def language_of(state: RunState) -> Locale:
    """The language the person is answered in: the message's own, else the one it came with, else English."""
    wanted = state.get("language") or state.get("locale")
    return next((locale for locale in LOCALES if locale == wanted), "en")


def encode_outcome(outcome: Outcome) -> Json:
    """An outcome as JSON that says which kind it is."""
    return {"kind": type(outcome).__name__, "value": encode(outcome)}


def decode_outcome(data: Json) -> Outcome:
    """The outcome that `encode_outcome` wrote; `KeyError` for an unknown kind."""
    kinds: dict[str, type[Outcome]] = {kind.__name__: kind for kind in _OUTCOMES}
    return decode(kinds[data["kind"]], data["value"])
