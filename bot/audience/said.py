"""What of the data a run's outcome tells: whose rows, or whose members."""

from dataclasses import dataclass

from agent.state import RunState, read
from agent.values.governance import CheckedQuery
from agent.values.memory import ThreadMemory
from agent.values.outcome import Answer, Clarification, NoData, Outcome, Proposal, Reply
from agent.values.spec import QuerySpec, Understanding
from semantic_catalog.model import DomainName

_ABOUT_ROWS = ("discuss", "forecast", "file_analysis")


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """The query whose rows are told; without one, members of the domain are named."""

    domain: DomainName
    query: CheckedQuery | None = None
    spec: QuerySpec | None = None


def said_by(outcome: Outcome, state: RunState) -> Said | None:
    """What the outcome tells that not everybody may see; None where it tells no data.

    A proposal shows no row, but its words and its SQL name the members that it filters by.
    """
    match outcome:
        case Answer() | NoData():
            return _of(outcome.query, outcome.spec)
        case Proposal():
            return _of(outcome.query, outcome.spec) if _names_members(outcome.spec) else None
        case Clarification():
            is_named = outcome.slot == "member" and outcome.domain is not None
            return Said(domain=outcome.domain) if is_named and outcome.domain else None
        case Reply():
            return _told_again(state)
        case _:
            return None


def _of(query: CheckedQuery, spec: QuerySpec | None) -> Said:
    return Said(domain=query.domain, query=query, spec=spec)


def _names_members(spec: QuerySpec | None) -> bool:
    """SQL that a model or a person wrote may name anything."""
    return spec is None or any(item.values for item in spec.filters)


def _told_again(state: RunState) -> Said | None:
    """Words about rows that were fetched before: those of the asker's last run."""
    if not state.get("understanding") or not state.get("memory"):
        return None
    meaning = read(state, "understanding", Understanding)
    about_rows = (
        meaning.turn_type in ("discuss", "forecast", "file_analysis") or meaning.relation == "session_reference"
    )
    own = [run for run in read(state, "memory", ThreadMemory).runs if run.asker == state["asker"]]
    told = next((_of(run.query, run.spec) for run in reversed(own) if run.query is not None), None)
    return told if about_rows else None
