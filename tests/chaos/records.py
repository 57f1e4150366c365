"""What the product's own records must say in the end: each breach is one line."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from tests.chaos.ledger import ENDED, Ledger, Row
from tests.chaos.plans import Plan

ENDS = ("answered", "failed", "no_data", "refused", "rejected", "cancelled", "expired", "replied")


@dataclass(frozen=True, kw_only=True)
class Run:
    """A question as it was kept. `sql` is what was proposed last; instants are aware and None for what never was."""

    id: str
    thread: str
    status: str
    asker: str
    sql: str
    approved_at: datetime | None
    over_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class Records:
    """The control database, read once."""

    runs: tuple[Run, ...]
    audit: tuple[Row, ...]
    decisions: tuple[Row, ...]
    cards: tuple[Row, ...]
    letters: tuple[Row, ...]

    def at(self, place: str) -> tuple[Run, ...]:
        """The questions that were asked there."""
        return tuple(run for run in self.runs if place and place in run.thread)


def read_records(ledger: Ledger) -> Records:
    """Everything as it stands."""
    audit = ledger.rows("SELECT id, run, event, by_whom, at, facts FROM countersign.audit ORDER BY id")
    entries = tuple({**entry, "facts": json.loads(entry["facts"])} for entry in audit)
    runs = ledger.rows("SELECT run, thread, status, asker, record FROM countersign.runs")
    return Records(
        runs=tuple(_run(row, entries) for row in runs),
        audit=entries,
        decisions=tuple(ledger.rows("SELECT run, kind, decided_by FROM countersign.decisions")),
        cards=tuple(ledger.rows("SELECT run, slot, ref, place FROM countersign.cards")),
        letters=tuple(ledger.rows("SELECT run, slot, fault FROM countersign.letters")),
    )


def record_breaches(plans: Iterable[tuple[Plan, str]], records: Records) -> Iterator[str]:
    """`plans` with their places."""
    for plan, place in plans:
        runs = records.at(place)
        if len(runs) != len(plan.questions):
            yield f"conversation {plan.number}: {len(runs)} runs of {len(plan.questions)} questions"
        yield from _statuses(plan, runs)
        yield from _signers(plan, runs, records.decisions)
    yield from _events(records)
    yield from _places(records)
    yield from (f"run {row['run']}: {row['slot']} was not delivered: {row['fault']}" for row in records.letters)


def _statuses(plan: Plan, runs: tuple[Run, ...]) -> Iterator[str]:
    for run in runs:
        if run.status not in ENDED:
            yield f"conversation {plan.number} ({plan.kind}): left {run.status}"
        if run.asker != plan.asker:
            yield f"conversation {plan.number}: asked by {run.asker} instead of {plan.asker}"
        if run.status == "answered" and run.approved_at is None:
            yield f"conversation {plan.number} ({plan.kind}): answered, though nobody approved"


def _signers(plan: Plan, runs: tuple[Run, ...], decisions: tuple[Row, ...]) -> Iterator[str]:
    for run in runs:
        made = [row["decided_by"] for row in decisions if row["run"] == run.id and row["kind"] == "approve"]
        if len(made) > 1:
            yield f"conversation {plan.number}: approved {len(made)} times"
        if set(made) - {plan.signer}:
            yield f"conversation {plan.number}: approved by {made}"


def _events(records: Records) -> Iterator[str]:
    """No query ran that nobody approved; every run was approved, ran and ended once."""
    approved: dict[str, str] = {}
    counts: Counter[tuple[str, str]] = Counter()
    for entry in records.audit:
        run, event, facts = entry["run"], entry["event"], entry["facts"]
        if event == "decided" and facts.get("kind") == "approve":
            approved[run] = facts["fingerprint"]
            counts[run, "approved"] += 1
        if event == "ran":
            counts[run, "ran"] += 1
            if approved.get(run) != facts["fingerprint"]:
                yield f"run {run}: ran unapproved"
        if event in ENDS:
            counts[run, "ended"] += 1
    yield from (f"run {run}: {what} {count} times" for (run, what), count in counts.items() if count > 1)
    lacking = {row["run"] for row in records.decisions if row["kind"] == "approve"} - set(approved)
    if lacking:
        yield f"decided, and not in the audit log: {sorted(lacking)}"
    silent = {run.id for run in records.runs if run.status in ENDED} - {run for run, what in counts if what == "ended"}
    if silent:
        yield f"ended, and not in the audit log: {sorted(silent)}"


def _places(records: Records) -> Iterator[str]:
    home = {run.id: run.thread for run in records.runs}
    for card in records.cards:
        if card["run"] in home and card["place"]["thread"] != home[card["run"]] and "@" not in card["slot"]:
            yield f"run {card['run']}: {card['slot']} stands in another thread"


def _run(row: Row, audit: tuple[Row, ...]) -> Run:
    own = [entry for entry in audit if entry["run"] == row["run"]]
    approvals = [e["at"] for e in own if e["event"] == "decided" and e["facts"].get("kind") == "approve"]
    pending = row["record"].get("pending") or {}
    return Run(
        id=row["run"],
        thread=row["thread"],
        status=row["status"],
        asker=row["asker"],
        sql=_sql(pending),
        approved_at=min(approvals, default=None),
        over_at=min((e["at"] for e in own if e["event"] == "ran" or e["event"] in ENDS), default=None),
    )


def _sql(pending: Row) -> str:
    held = pending.get("value", pending).get("query") or {}
    return str(held.get("sql", ""))
