"""Which question of the thread a message goes on from."""

from dataclasses import replace

from agent.understanding.mentions import Reading
from agent.understanding.names import is_metric
from agent.understanding.taking_back import asks_to_undo
from agent.understanding.unchanged import same_question
from agent.values.identity import PrincipalId
from agent.values.memory import RememberedRun, ThreadMemory
from agent.values.spec import QuerySpec
from semantic_catalog.model import DomainName


def continued(reading: Reading, memory: ThreadMemory, domain: DomainName) -> RememberedRun | None:
    """The newest answered question in the domain, or the one that the message goes back to; None for a new topic."""
    runs = [run for run in memory.runs if run.spec and run.spec.domain == domain]
    if not runs or reading.has("new_topic"):
        return None
    if not goes_back(reading):
        return runs[-1]
    switched = memory.last is not None and memory.last not in runs
    return _gone_back_to(reading, runs, switched=switched)


def goes_back(reading: Reading) -> bool:
    """Whether the message says that it goes back to an earlier question."""
    return reading.has("back_to", "back_to_first")


def _gone_back_to(reading: Reading, runs: list[RememberedRun], *, switched: bool) -> RememberedRun:
    """The first question about the metrics named, else the first one or the one before, as said.

    From another domain (`switched`) the one before is the newest.
    """
    named = {term.name for mention in reading.mentions if is_metric(mention) for term in mention.of_kind("metric")}
    about = [run for run in runs if run.spec and named & set(run.spec.metrics)]
    if about:
        return about[0]
    if reading.has("back_to_first") or len(runs) == 1:
        return runs[0]
    return runs[-1] if switched else runs[-2]


def before_the_last(memory: ThreadMemory, domain: DomainName) -> QuerySpec | None:
    """The question that the last one took the place of; each one taken back counts no more, so that repeated undoing
    goes further back. None where there is no earlier one in the domain.
    """
    standing: list[QuerySpec] = []
    for run in memory.runs:
        if run.spec is None or run.spec.domain != domain or _redraws(run.spec, standing):
            continue
        if len(standing) > 1 and asks_to_undo(run.question) and same_question(run.spec, standing[-2]):
            standing.pop()
        else:
            standing.append(run.spec)
    return standing[-2] if len(standing) > 1 else None


def _redraws(spec: QuerySpec, standing: list[QuerySpec]) -> bool:
    """Another chart of the same rows is no other question."""
    return bool(standing) and same_question(replace(spec, chart=None), replace(standing[-1], chart=None))


def as_seen_by(memory: ThreadMemory, asker: PrincipalId) -> ThreadMemory:
    """The thread as this person goes on from it: their own questions, and others' about what they asked last.

    Somebody who has asked nothing here goes on from what the others asked.
    """
    own = [run for run in memory.runs if run.asker == asker and run.spec]
    if not own or own[-1].spec is None:
        return memory
    about = set(own[-1].spec.metrics)
    kept = (run for run in memory.runs if run.asker == asker or (run.spec and about & set(run.spec.metrics)))
    return replace(memory, runs=tuple(kept))


def as_of(memory: ThreadMemory, run: str) -> ThreadMemory:
    """The thread as it was when that run had just been answered; all of it where it holds no such run."""
    at = next((place for place, kept in enumerate(memory.runs) if kept.run == run), None)
    return memory if at is None else replace(memory, runs=memory.runs[: at + 1])
