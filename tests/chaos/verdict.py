"""What must be true in the end, whatever happened: each breach is one line."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from agent.wording.texts import say
from tests.chaos.conversations import Plan
from tests.chaos.ledger import ENDED, Ledger, Row
from tests.chaos.people import Post
from tests.fakes.slack.workspace import BOT_USER, Json, Workspace
from tests.fakes.teams.connector import TeamsStandIn

MOST_ACKNOWLEDGE_SECONDS = 3.0
WAITS = frozenset({"needs_clarification"})
DOUBT = say("en", "dialog.maybe_twice")


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """Everything that is left when all is quiet."""

    plans: tuple[Plan, ...]
    ledger: Ledger
    workspace: Workspace
    teams: TeamsStandIn
    post: Post
    judges_time: bool
    channel: str = "C0SALES"


def breaches(evidence: Evidence) -> list[str]:
    """Every promise that was not kept."""
    runs = evidence.ledger.rows("SELECT run, thread, status, asker FROM countersign.runs")
    cards = evidence.ledger.rows("SELECT run, slot, ref, place FROM countersign.cards")
    return [
        *_ends(evidence.plans, runs),
        *_slack(evidence, runs, cards),
        *_teams(evidence, runs, cards),
        *_places(runs, cards),
        *_decisions(evidence.ledger),
        *_dead(evidence.ledger),
        *(_acknowledged(evidence.post) if evidence.judges_time else ()),
        *(f"slack took offence: {fault}" for fault in evidence.workspace.faults),
        *(f"teams took offence: {fault}" for fault in evidence.teams.faults),
    ]


def outcomes(evidence: Evidence) -> Counter[str]:
    """How the conversations ended."""
    return Counter(f"{plan.kind}: {evidence.ledger.status(plan.place) or 'never begun'}" for plan in evidence.plans)


def _ends(plans: Iterable[Plan], runs: list[Row]) -> Iterator[str]:
    for plan in plans:
        found = [run for run in runs if plan.place in run["thread"]]
        if len(found) != 1:
            yield f"conversation {plan.number}: {len(found)} runs"
        for run in found:
            if run["status"] not in (ENDED | WAITS if plan.kind == "unread" else ENDED):
                yield f"conversation {plan.number} ({plan.kind}): left {run['status']}"
            if plan.kind == "taken_back" and run["status"] == "answered":
                yield f"conversation {plan.number}: answered, though nobody approved"


def _slack(evidence: Evidence, runs: list[Row], cards: list[Row]) -> Iterator[str]:
    """Every message of the bot is one that a run knows, each once; every end stands in its thread."""
    known = {card["ref"]["message_id"] for card in cards}
    for plan in evidence.plans:
        if plan.platform != "slack":
            continue
        said = [m for m in evidence.workspace.thread(evidence.channel, plan.place) if m.get("user") == BOT_USER]
        for message in said:
            if message["ts"] not in known:
                yield f"conversation {plan.number}: a message that no run knows: {_key(message)}"
        twice = [key for key, count in Counter(map(_key, said)).items() if key and count > 1]
        if twice:
            yield f"conversation {plan.number}: posted twice: {twice}"
        wrong = [m for m in said if _key(m) and _thread_of(_key(m), runs) not in ("", _slack_thread(evidence, plan))]
        if wrong:
            yield f"conversation {plan.number}: {len(wrong)} messages of another thread"
        yield from _end_stands(plan, runs, cards, {str(message["ts"]) for message in said})


def _teams(evidence: Evidence, runs: list[Row], cards: list[Row]) -> Iterator[str]:
    """The same; what Teams cannot be asked about may stand twice only where the second says so."""
    known = {card["ref"]["message_id"] for card in cards}
    for plan in evidence.plans:
        if plan.platform != "teams":
            continue
        said = [m for m in evidence.teams.posted if plan.place in m.conversation and not m.is_deleted]
        drawn = [m for m in said if "adaptive" in json.dumps(m.activity.get("attachments") or "")]
        strange = [m for m in drawn if m.id not in known]
        doubts = [m for m in drawn if any(DOUBT in json.dumps(v, ensure_ascii=False) for v in m.versions)]
        if len(strange) > len(doubts):
            yield f"conversation {plan.number}: {len(strange)} cards that no run knows, {len(doubts)} say so"
        yield from _end_stands(plan, runs, cards, {message.id for message in said})


def _end_stands(plan: Plan, runs: list[Row], cards: list[Row], said: set[str]) -> Iterator[str]:
    run = next((run["run"] for run in runs if plan.place in run["thread"]), "")
    status = next((run["status"] for run in runs if plan.place in run["thread"]), "")
    ends = [card["ref"]["message_id"] for card in cards if card["run"] == run and card["slot"] == "end"]
    if status in ("answered", "failed", "no_data", "refused") and not said.intersection(ends):
        yield f"conversation {plan.number}: {status}, and nothing of it stands in its thread"


def _places(runs: list[Row], cards: list[Row]) -> Iterator[str]:
    home = {run["run"]: run["thread"] for run in runs}
    for card in cards:
        if card["run"] in home and card["place"]["thread"] != home[card["run"]] and "@" not in card["slot"]:
            yield f"run {card['run']}: {card['slot']} stands in another thread"


def _decisions(ledger: Ledger) -> Iterator[str]:
    """No query ran that nobody approved; every run ended once."""
    entries = ledger.rows("SELECT id, run, event, facts FROM countersign.audit ORDER BY id")
    approved: dict[str, str] = {}
    counts: Counter[tuple[str, str]] = Counter()
    for entry in entries:
        facts = json.loads(entry["facts"])
        if entry["event"] == "decided" and facts.get("kind") == "approve":
            approved[entry["run"]] = facts["fingerprint"]
            counts[entry["run"], "approved"] += 1
        if entry["event"] == "ran":
            counts[entry["run"], "ran"] += 1
            if approved.get(entry["run"]) != facts["fingerprint"]:
                yield f"run {entry['run']}: ran unapproved"
        if entry["event"] in ("answered", "failed", "no_data", "refused", "rejected", "cancelled", "expired"):
            counts[entry["run"], "ended"] += 1
    yield from (f"run {run}: {what} {count} times" for (run, what), count in counts.items() if count > 1)
    stored = ledger.rows("SELECT run FROM countersign.decisions WHERE kind = 'approve'")
    lacking = {row["run"] for row in stored} - set(approved)
    if lacking:
        yield f"decided, and not in the audit log: {sorted(lacking)}"


def _dead(ledger: Ledger) -> Iterator[str]:
    for row in ledger.rows("SELECT run, slot, fault FROM countersign.letters"):
        yield f"run {row['run']}: {row['slot']} was not delivered: {row['fault']}"


def _acknowledged(post: Post) -> Iterator[str]:
    if post.slowest > MOST_ACKNOWLEDGE_SECONDS:
        yield f"a delivery was answered after {post.slowest:.1f} s"


def _key(message: Json) -> str:
    return str(message.get("metadata", {}).get("event_payload", {}).get("key", ""))


def _thread_of(key: str, runs: list[Row]) -> str:
    return next((str(run["thread"]) for run in runs if run["run"] == key.partition(":")[0]), "")


def _slack_thread(evidence: Evidence, plan: Plan) -> str:
    return f"slack:T0HOME:{evidence.channel}:{plan.place}"
