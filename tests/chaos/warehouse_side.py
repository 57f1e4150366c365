"""What the warehouse saw: only approved statements, each once unless a mishap came between."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise

from tests.chaos.mishaps import Spell
from tests.chaos.records import Records, Run
from tests.chaos.statements import Sent

LATE = timedelta(seconds=1)
"""Between a decision and its entry in the log, by which the query may have begun."""

CUTS_READS = frozenset(
    {"worker killed", "postgres restarted", "postgres crashed", "warehouse hung", "warehouse cut off"}
)


@dataclass(frozen=True, kw_only=True)
class Reads:
    """How often approved queries were sent. `again` counts those that a mishap had cut off."""

    sent: int
    again: int
    breaches: tuple[str, ...]


def reads_of(sent: Sequence[Sent], records: Records, spells: Sequence[Spell]) -> Reads:
    """Compare what reached the warehouse with what was approved."""
    by_text: dict[str, list[Sent]] = {}
    for each in sent:
        by_text.setdefault(each.text.strip(), []).append(each)
    found: list[str] = []
    again = 0
    for text, sendings in by_text.items():
        runs = [run for run in records.runs if run.sql.strip() == text]
        found += _unapproved(sendings, runs)
        more = len(sendings) - sum(run.approved_at is not None for run in runs)
        again += max(more, 0)
        if more > 0:
            found += _unexplained(sendings, runs, spells)
    return Reads(sent=len(sent), again=again, breaches=tuple(found))


def _unapproved(sendings: Sequence[Sent], runs: Sequence[Run]) -> Iterator[str]:
    if not runs:
        yield f"the warehouse was sent what nobody was shown: {sendings[0].text[:200]}"
        return
    for each in sendings:
        if not any(_is_covered(each, run) for run in runs):
            yield f"run {runs[0].id}: sent to the warehouse at {each.at:%H:%M:%S}, outside what was approved"


def _is_covered(each: Sent, run: Run) -> bool:
    """After the approval, and before the run was noted to be over."""
    if run.approved_at is None or each.at < run.approved_at - LATE:
        return False
    return run.over_at is None or each.at <= run.over_at


def _unexplained(sendings: Sequence[Sent], runs: Sequence[Run], spells: Sequence[Spell]) -> Iterator[str]:
    """A query is sent again only where the time between holds something that cut its reading off, or its noting."""
    cuts = [spell for spell in spells if spell.kind in CUTS_READS]
    for first, second in pairwise(sendings):
        explained = any(cut.began <= second.at and first.at <= cut.ended for cut in cuts)
        if len(runs) == 1 and not explained:
            yield f"run {runs[0].id}: sent to the warehouse again at {second.at:%H:%M:%S} for no reason"
