"""Which question of the thread a message goes on from."""

from dataclasses import replace

from agent.understanding.mentions import Reading
from agent.understanding.names import is_metric
from agent.values.identity import PrincipalId
from agent.values.memory import RememberedRun, ThreadMemory
from semantic_catalog.model import DomainName


def continued(reading: Reading, memory: ThreadMemory, domain: DomainName) -> RememberedRun | None:
    """The newest answered question in the domain, or the one that the message goes back to; None for a new topic."""
    runs = [run for run in memory.runs if run.spec and run.spec.domain == domain]
    if not runs or reading.has("new_topic"):
        return None
    return _gone_back_to(reading, runs) if goes_back(reading) else runs[-1]


def goes_back(reading: Reading) -> bool:
    """Whether the message says that it goes back to an earlier question."""
    return reading.has("back_to", "back_to_first")


def _gone_back_to(reading: Reading, runs: list[RememberedRun]) -> RememberedRun:
    """The first question about the metrics named, else the first one or the one before the last, as said."""
    named = {term.name for mention in reading.mentions if is_metric(mention) for term in mention.of_kind("metric")}
    about = [run for run in runs if run.spec and named & set(run.spec.metrics)]
    if about:
        return about[0]
    return runs[0] if reading.has("back_to_first") or len(runs) == 1 else runs[-2]


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
