"""A finished question as the one JSON object of `ask --json` and `eval --json`."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from agent.codec import encode
from agent.state import RunState
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
from agent.values.result import Cell, ResultTable
from agent.values.usage import Usage
from bot.statuses import status_of

EXIT_CODES = {"failed": 1, "refused": 2, "rejected": 3}
"""What the shell learns; every other status is 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question of the shell, where it ended, and what came with it."""

    thread: str
    outcome: Outcome
    state: RunState
    proposal: Proposal | None
    table: ResultTable | None
    chart: Path | None
    workbook: Path | None
    timings_ms: dict[str, float]


def exit_code(asked: Asked) -> int:
    """The shell's exit code for the question."""
    return EXIT_CODES.get(status_of(asked.outcome), 0)


def report_of(asked: Asked) -> dict[str, Any]:
    """All documented keys, null where they do not apply."""
    outcome = asked.outcome
    return {
        "thread_id": asked.thread,
        "run_id": outcome.run,
        "status": status_of(outcome),
        "language": outcome.locale,
        **_meaning(asked.state),
        **_query(asked),
        **_result(asked),
        **_words(outcome),
        "chart": str(asked.chart) if asked.chart else None,
        "workbook": str(asked.workbook) if asked.workbook else None,
        "usage": asked.state.get("usage") or encode(Usage()),
        "timings_ms": {name: round(spent, 1) for name, spent in asked.timings_ms.items()},
    }


def _meaning(state: RunState) -> dict[str, Any]:
    meaning = state.get("understanding") or {}
    spec = state.get("spec") or meaning.get("spec")
    return {
        "domain": meaning.get("domain") or (spec or {}).get("domain"),
        "relation": meaning.get("relation"),
        "turn_type": meaning.get("turn_type"),
        "spec": spec,
    }


def _query(asked: Asked) -> dict[str, Any]:
    proposal = asked.proposal
    shown = getattr(asked.outcome, "query", None) or (proposal.query if proposal else None)
    receipt = getattr(asked.outcome, "receipt", None) or (proposal.receipt if proposal else None)
    return {
        "sql": shown.sql if shown else None,
        "dialect": shown.dialect if shown else None,
        "parameters": [] if shown else None,
        "fingerprint": shown.fingerprint if shown else None,
        "receipt": encode(receipt) if receipt else None,
        "cost": encode(proposal.estimate) if proposal else None,
        "risk": encode(proposal.risk) if proposal else None,
        "changes": list(proposal.changes) if proposal else [],
    }


def _result(asked: Asked) -> dict[str, Any]:
    if asked.table is None or not isinstance(asked.outcome, Answer):
        empty = isinstance(asked.outcome, NoData)
        return {"columns": None, "rows": [] if empty else None, "row_count": 0 if empty else None, "truncated": None}
    ref = asked.outcome.result
    return {
        "columns": [column.name for column in asked.table.columns],
        "rows": [[_cell(cell) for cell in row] for row in asked.table.rows],
        "row_count": ref.row_count,
        "truncated": ref.truncated,
    }


def _cell(cell: Cell) -> str | int | float | bool | None:
    if isinstance(cell, Decimal):
        return int(cell) if cell == cell.to_integral_value() else float(cell)
    return cell.isoformat() if isinstance(cell, date | datetime) else cell


def _words(outcome: Outcome) -> dict[str, Any]:
    answer = outcome if isinstance(outcome, Answer) else None
    clarification = outcome if isinstance(outcome, Clarification) else None
    refusal = outcome if isinstance(outcome, Refusal) else None
    return {
        "narrative": _narrative(outcome),
        "kpis": encode(answer.kpis) if answer else [],
        "clarification": _clarification(clarification) if clarification else None,
        "fetched_at": answer.fetched_at.isoformat() if answer and answer.fetched_at else None,
        "refusal": {"rule": refusal.rule, "message": refusal.message} if refusal else None,
        "assumptions": list(getattr(outcome, "assumptions", ())),
        "unused_words": list(getattr(outcome, "unused_words", ())),
        "warnings": list(getattr(outcome, "warnings", ())),
    }


def _narrative(outcome: Outcome) -> str | None:
    match outcome:
        case Answer(narrative=told):
            return _joined((f"{told.lead} {told.rest}".strip(), *told.highlights))
        case NoData() | Failure():
            return outcome.message
        case Reply():
            return outcome.text
        case Rejected():
            return outcome.reason or None
        case _:
            return None


def _joined(lines: Sequence[str]) -> str:
    return "\n".join(line for line in lines if line)


def _clarification(asked: Clarification) -> dict[str, Any]:
    options = [{"label": option.label, "value": option.value} for option in asked.options]
    return {"slot": asked.slot, "question": asked.question, "options": options}
