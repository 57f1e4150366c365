"""What must be true in the end, whatever happened: each breach is one line."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from tests.chaos.mishaps import EXPECTED, Spell
from tests.chaos.post import Post
from tests.chaos.readers import Scene, reader_breaches
from tests.chaos.records import Records, record_breaches
from tests.chaos.warehouse_side import Reads

MOST_ACKNOWLEDGE_SECONDS = 3.0


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """Everything that is left when all is quiet. `happened` counts mishaps of every kind."""

    scene: Scene
    records: Records
    reads: Reads
    post: Post
    happened: Counter[str]
    spells: tuple[Spell, ...]


def breaches(evidence: Evidence, *, judges_time: bool, wants_all: bool) -> Iterator[str]:
    """Every promise that was not kept; `wants_all` makes a mishap that did not happen one of them."""
    scene, records = evidence.scene, evidence.records
    yield from record_breaches([(plan, scene.rooms[plan.number].place) for plan in scene.plans], records)
    yield from reader_breaches(scene, records)
    yield from evidence.reads.breaches
    yield from (f"slack took offence: {fault}" for fault in scene.workspace.faults)
    yield from (f"teams took offence: {fault}" for fault in scene.teams.faults)
    if judges_time and evidence.post.slowest > MOST_ACKNOWLEDGE_SECONDS:
        yield f"a delivery was answered after {evidence.post.slowest:.1f} s"
    if wants_all:
        yield from (f"never happened: {kind}" for kind in sorted(EXPECTED) if not evidence.happened[kind])


def outcomes(scene: Scene, records: Records) -> dict[str, int]:
    """How the questions ended, by kind of conversation."""
    found: Counter[str] = Counter()
    for plan in scene.plans:
        found.update(f"{plan.kind}: {run.status}" for run in records.at(scene.rooms[plan.number].place))
    return dict(sorted(found.items()))
