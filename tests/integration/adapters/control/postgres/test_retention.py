import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest

from adapters.control.postgres.audit import PostgresAuditLog
from adapters.control.postgres.budgets import PostgresBudgetLedger
from adapters.control.postgres.connections import Pool
from adapters.control.postgres.conversations import PostgresSeenConversations
from adapters.control.postgres.feedback import PostgresFeedbackStore
from adapters.control.postgres.memory import PostgresMemoryStore
from adapters.control.postgres.people import PostgresPeople
from adapters.control.postgres.personal import PostgresPersonalStore
from adapters.control.postgres.retention import Kept, PostgresRetention
from adapters.control.postgres.run_lists import PostgresRunLists
from adapters.control.postgres.runs import PostgresRunStore
from agent.values.budget import Account, Caps, Spending
from agent.values.identity import PrincipalId, RunId, TenantId, ThreadKey
from agent.values.memory import RememberedRun, ThreadMemory
from agent.values.meters import NOTHING, Amounts
from agent.values.outcome import RunRecord
from agent.values.personal import Meaning, PersonalMemory
from agent.values.turn import SeenConversation
from bot.retention import export_audit
from tests.fakes.clock import FrozenClock

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
ANA = PrincipalId("ana")
DAY = timedelta(days=1)
KEPT = Kept(runs=90 * DAY, checkpoints=7 * DAY, cards=90 * DAY, feedback=30 * DAY, personal=90 * DAY,
            threads=60 * DAY, events=2 * DAY)  # fmt: skip


def _record(run: str, status: str, created_at: datetime) -> RunRecord:
    return RunRecord(
        run=RunId(run), thread="console:t", asker=ANA, status=status, question="q", locale="en", created_at=created_at
    )


def _memory(words: str, used_at: datetime) -> PersonalMemory:
    meaning = Meaning(slot="metric", value="fees", words=words, domain="payments")
    return PersonalMemory(id=words, person=ANA, meaning=meaning, source="said", learnt_at=used_at, used_at=used_at)


def _thread(name: str, finished_at: datetime) -> ThreadMemory:
    run = RememberedRun(
        run=RunId(name), asker=ANA, question="q", locale="en", spec=None, sql="", headline="", findings=(),
        sample=None, result=None, finished_at=finished_at,
    )  # fmt: skip
    return ThreadMemory(thread=ThreadKey(f"console:{name}"), runs=(run,))


@pytest.fixture
def retention(pool: Pool) -> PostgresRetention:
    return PostgresRetention(pool, KEPT)


async def test_only_ended_runs_go_and_only_past_their_time(pool: Pool, retention: PostgresRetention) -> None:
    runs = PostgresRunStore(pool)
    old, young = NOON - 91 * DAY, NOON - 89 * DAY
    for record in (
        _record("OLD", "answered", old),
        _record("YOUNG", "answered", young),
        _record("OPEN", "awaiting_approval", old),
    ):
        await runs.create(record)
    assert (await retention.clean(NOON))["runs"] == 1
    assert [await runs.get(RunId(run)) is None for run in ("OLD", "YOUNG", "OPEN")] == [True, False, False]
    assert (await retention.clean(NOON + 2 * DAY))["runs"] == 1


async def test_memories_of_people_last_from_their_last_use_and_of_threads_from_their_last_answer(
    pool: Pool, retention: PostgresRetention
) -> None:
    personal, threads = PostgresPersonalStore(pool, KEPT.personal), PostgresMemoryStore(pool)
    await personal.keep(_memory("plata", NOON - 89 * DAY))
    await personal.keep(_memory("pesos", NOON - 89 * DAY))
    await threads.save(_thread("old", NOON - 61 * DAY))
    await threads.save(_thread("young", NOON - 59 * DAY))
    await personal.used(ANA, ("plata",), NOON)
    gone = await retention.clean(NOON + 2 * DAY)
    assert (gone["personal_memories"], gone["thread_memories"]) == (1, 2)
    assert [memory.meaning.words for memory in await personal.of(ANA, NOON + 2 * DAY)] == ["plata"]


async def test_checkpoints_go_with_their_run_unless_it_is_open_or_ended_just_now(
    pool: Pool, retention: PostgresRetention, control_url: str
) -> None:
    runs = PostgresRunStore(pool)
    await runs.create(_record("OPEN", "awaiting_approval", NOON - 30 * DAY))
    await runs.create(_record("JUST", "answered", NOON - DAY))
    await runs.create(_record("LONG", "answered", NOON - 8 * DAY))
    with psycopg.connect(control_url, autocommit=True) as connection:
        for run in ("OPEN", "JUST", "LONG", "GONE"):
            connection.execute(
                "INSERT INTO checkpoints (thread_id, checkpoint_id, checkpoint) VALUES (%s, '1', '{}')",
                (f"slack:T:C/x:{run}/{run}",),
            )
        assert (await retention.clean(NOON))["checkpoints"] == 2
        left = connection.execute("SELECT thread_id FROM checkpoints ORDER BY 1").fetchall()
    assert [thread.rpartition("/")[2] for (thread,) in left] == ["JUST", "OPEN"]


async def test_conversations_go_that_nothing_was_heard_of(pool: Pool, retention: PostgresRetention) -> None:
    conversations = PostgresSeenConversations(pool)
    seen = SeenConversation(channel="teams", tenant=TenantId("t"), conversation="19:g", address="g")
    await conversations.put(seen)
    now = datetime.now(UTC)
    assert (await retention.clean(now + 89 * DAY))["seen_conversations"] == 0
    assert await conversations.get("teams", TenantId("t"), "19:g") == seen
    assert (await retention.clean(now + 91 * DAY))["seen_conversations"] == 1


async def test_opinions_go_past_their_time(pool: Pool, retention: PostgresRetention) -> None:
    feedback = PostgresFeedbackStore(pool)
    await feedback.give(RunId("A"), ANA, "thumbs_down", "slow", NOON - 31 * DAY)
    await feedback.give(RunId("B"), ANA, "thumbs_up", "", NOON)
    await feedback.give(RunId("B"), ANA, "thumbs_down", "wrong", NOON)
    assert (await retention.clean(NOON))["feedback"] == 1


async def test_what_was_used_of_budgets_goes_past_its_time(pool: Pool, retention: PostgresRetention) -> None:
    ledger, now = PostgresBudgetLedger(pool), datetime.now(UTC)
    account = Account(person=ANA, tenant="slack:T1")
    used = Spending(once="a", run=RunId("A"), account=account, day=now.date(), amounts=Amounts(queries=1))
    await ledger.spend(used, Caps(), NOTHING)
    kept, gone = await retention.clean(now + 89 * DAY), await retention.clean(now + 92 * DAY)
    assert [(each["budget_entries"], each["budget_days"]) for each in (kept, gone)] == [(0, 0), (1, 2)]


async def test_to_be_forgotten_fills_no_budget_of_today_again(pool: Pool) -> None:
    ledger, today = PostgresBudgetLedger(pool), datetime.now(UTC).date()
    account = Account(person=ANA, tenant="slack:T1")
    for day in (today, today - 5 * DAY):
        used = Spending(once=f"{day}", run=RunId("A"), account=account, day=day, amounts=Amounts(queries=1))
        await ledger.spend(used, Caps(), NOTHING)
    await PostgresPeople(pool).forget(ANA)
    assert (await ledger.used(account, today)).person.queries == 1
    old = await ledger.used(account, today - 5 * DAY)
    assert (old.person.queries, old.tenant.queries) == (0, 1)


async def test_runs_that_nobody_went_on_with_are_found(pool: Pool) -> None:
    runs, lists = PostgresRunStore(pool), PostgresRunLists(pool)
    for run, status in (("ASKED", "needs_clarification"), ("STUCK", "running"), ("OPEN", "awaiting_approval")):
        await runs.create(_record(run, status, NOON - 8 * DAY))
    assert {record.run for record in await lists.stale(NOON - 7 * DAY, 10)} == {"ASKED", "STUCK"}
    assert await lists.stale(NOON - 9 * DAY, 10) == ()


@pytest.fixture
async def aged(pool: Pool) -> tuple[PostgresAuditLog, FrozenClock]:
    clock = FrozenClock(NOON)
    log = PostgresAuditLog(pool, clock)
    for number in range(1, 7):
        await log.append(RunId(f"run-{number}"), "asked", "ana", {"number": number})
        clock.advance(DAY)
    return log, clock


def _exported_runs(folder: Path) -> dict[str, list[str]]:
    files = {path.name: path.read_text(encoding="utf-8").splitlines() for path in folder.iterdir()}
    return {name: [json.loads(line)["run"] for line in lines] for name, lines in files.items()}


async def test_what_is_cut_of_the_audit_log_is_exported_and_the_rest_verifies(
    aged: tuple[PostgresAuditLog, FrozenClock], tmp_path: Path
) -> None:
    log, clock = aged
    assert await export_audit(log, NOON + 3 * DAY, tmp_path) == 3
    assert _exported_runs(tmp_path) == {"audit-1-3.jsonl": ["run-1", "run-2", "run-3"]}
    assert await log.verify() is None
    assert [entry.event async for entry in log.entries()] == ["asked", "asked", "asked", "audit_cut"]
    assert await export_audit(log, NOON + 3 * DAY, tmp_path) == 0
    clock.advance(30 * DAY)
    assert await export_audit(log, NOON + 30 * DAY, tmp_path) == 4
    await log.append(RunId("run-7"), "asked", "ana", {})
    assert await log.verify() is None


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT set_config('countersign.cutting', '5', false); DELETE FROM countersign.audit WHERE id <= 5",
        "SELECT countersign.cut_audit(5)",
    ],
)
async def test_a_cut_that_the_log_does_not_announce_is_found_out(
    aged: tuple[PostgresAuditLog, FrozenClock], control_url: str, statement: str
) -> None:
    log, _ = aged
    with psycopg.connect(control_url, autocommit=True) as connection:
        for part in statement.split("; "):
            connection.execute(part.encode())
    assert await log.verify() is not None
