import asyncio
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Literal

import pytest

from adapters.control.postgres.connections import Pool
from adapters.control.postgres.runs import PostgresRunStore
from agent.values.governance import Decision
from agent.values.identity import PrincipalId, RunId, ThreadKey
from agent.values.outcome import RunRecord
from bot.ports import RunStore
from semantic_catalog.model import CatalogVersion, DomainName
from tests.fakes.stores import InMemoryRunStore

NOON = datetime(2026, 11, 1, 12, 0, tzinfo=UTC)
RUN = RunId("run-1")
THREAD = ThreadKey("slack:T1:C1:1.0")
OPEN = RunRecord(
    run=RUN,
    thread=THREAD,
    asker=PrincipalId("ana"),
    status="awaiting_approval",
    question="¿Cuál fue la tasa\x00 de aprobación?",
    locale="es",
    created_at=NOON,
    domain=DomainName("payments"),
    catalog_version=CatalogVersion("c1"),
    fingerprint="f1",
    revision=1,
    expires_at=NOON + timedelta(hours=24),
)
Kind = Literal["approve", "change", "reject", "cancel", "expire"]


@pytest.fixture(params=["postgres", "memory"])
def store(request: pytest.FixtureRequest) -> RunStore:
    if request.param == "memory":
        return InMemoryRunStore()
    pool: Pool = request.getfixturevalue("control")
    return PostgresRunStore(pool)


def decided(
    kind: Kind = "approve",
    by: str = "ana",
    fingerprint: str = "f1",
    after: timedelta = timedelta(hours=1),
    text: str = "",
) -> Decision:
    return Decision(
        kind=kind, by=PrincipalId(by), at=NOON + after, fingerprint=fingerprint, by_name=by.title(), text=text
    )


def _runs(records: Iterable[RunRecord]) -> list[str]:
    return [record.run for record in records]


async def test_a_run_comes_back_as_it_was(store: RunStore) -> None:
    assert await store.get(RUN) is None
    await store.create(OPEN)
    assert await store.get(RUN) == OPEN


async def test_creating_a_run_again_changes_nothing(store: RunStore) -> None:
    await store.create(OPEN)
    await store.create(replace(OPEN, status="answered"))
    assert await store.get(RUN) == OPEN


async def test_an_update_replaces_and_creates_nothing(store: RunStore) -> None:
    await store.update(OPEN)
    assert await store.get(RUN) is None
    await store.create(OPEN)
    later = replace(OPEN, status="answered", fingerprint="f2", revision=2, expires_at=None, domain=None)
    await store.update(later)
    assert await store.get(RUN) == later


async def test_a_decision_in_time_for_what_was_shown_is_recorded(store: RunStore) -> None:
    await store.create(OPEN)
    assert await store.decision(RUN) is None
    assert await store.decide(RUN, decided(text="por favor"))
    assert await store.decision(RUN) == decided(text="por favor")


@pytest.mark.parametrize(
    ("record", "decision"),
    [
        pytest.param(OPEN, decided(fingerprint="f0"), id="for other SQL"),
        pytest.param(replace(OPEN, status="running"), decided(), id="for a run that does not wait"),
        pytest.param(replace(OPEN, status="needs_clarification"), decided(), id="for a run that waits for an answer"),
        pytest.param(OPEN, decided(after=timedelta(hours=24)), id="at the very end of its time"),
        pytest.param(OPEN, decided("reject", after=timedelta(days=3)), id="long after its time"),
        pytest.param(OPEN, decided("expire"), id="that it expired before its time"),
        pytest.param(replace(OPEN, expires_at=None), decided("expire"), id="that it expired though it has no end"),
        pytest.param(replace(OPEN, run=RunId("run-2")), decided(), id="for an unknown run"),
    ],
)
async def test_refuses_a_decision(store: RunStore, record: RunRecord, decision: Decision) -> None:
    await store.create(record)
    assert not await store.decide(RUN, decision)
    assert await store.decision(RUN) is None


async def test_a_run_without_an_end_can_be_decided_at_any_time(store: RunStore) -> None:
    await store.create(replace(OPEN, expires_at=None))
    assert await store.decide(RUN, decided(after=timedelta(days=300)))


async def test_expires_at_its_end(store: RunStore) -> None:
    await store.create(OPEN)
    assert await store.decide(RUN, decided("expire", by="policy:expiry", after=timedelta(hours=24)))


async def test_the_second_of_two_different_decisions_is_refused(store: RunStore) -> None:
    await store.create(OPEN)
    assert await store.decide(RUN, decided("reject"))
    for other in (decided("approve"), decided("reject", by="ben"), decided("reject", text="zu teuer")):
        assert not await store.decide(RUN, other)
    assert await store.decision(RUN) == decided("reject")


async def test_the_same_decision_again_is_true_until_the_run_moves_on(store: RunStore) -> None:
    await store.create(OPEN)
    assert await store.decide(RUN, decided())
    assert await store.decide(RUN, decided(after=timedelta(hours=2)))
    assert await store.decision(RUN) == decided()
    await store.update(replace(OPEN, status="answered"))
    assert not await store.decide(RUN, decided())


async def test_of_many_people_deciding_at_once_exactly_one_does(store: RunStore) -> None:
    await store.create(OPEN)
    people = [f"person-{number}" for number in range(8)]
    outcomes = await asyncio.gather(*(store.decide(RUN, decided(by=person)) for person in people))
    assert outcomes.count(True) == 1
    winner = await store.decision(RUN)
    assert winner is not None
    assert winner.by == people[outcomes.index(True)]


async def test_a_new_revision_is_decided_anew(store: RunStore) -> None:
    await store.create(OPEN)
    assert await store.decide(RUN, decided("change", text="only Lima"))
    await store.update(replace(OPEN, fingerprint="f2", revision=2))
    assert not await store.decide(RUN, decided("approve"))
    assert await store.decide(RUN, decided("approve", fingerprint="f2"))
    assert await store.decision(RUN) == decided("approve", fingerprint="f2")


async def test_a_thread_waits_for_its_undecided_runs_oldest_first(store: RunStore) -> None:
    await store.create(replace(OPEN, run=RunId("new"), created_at=NOON + timedelta(minutes=5)))
    await store.create(replace(OPEN, run=RunId("asked"), status="needs_clarification", created_at=NOON))
    await store.create(replace(OPEN, run=RunId("old"), created_at=NOON - timedelta(minutes=5)))
    await store.create(replace(OPEN, run=RunId("done"), status="answered"))
    await store.create(replace(OPEN, run=RunId("elsewhere"), thread=ThreadKey("console:other")))
    assert _runs(await store.waiting(THREAD)) == ["old", "asked", "new"]
    assert await store.decide(RunId("old"), decided())
    assert _runs(await store.waiting(THREAD)) == ["asked", "new"]


async def test_expired_runs_are_those_past_their_time_that_nobody_decided(store: RunStore) -> None:
    await store.create(replace(OPEN, run=RunId("late")))
    await store.create(replace(OPEN, run=RunId("later"), expires_at=NOON + timedelta(hours=25)))
    await store.create(replace(OPEN, run=RunId("decided")))
    await store.create(replace(OPEN, run=RunId("answered"), status="answered"))
    await store.create(replace(OPEN, run=RunId("endless"), expires_at=None))
    assert await store.decide(RunId("decided"), decided())
    assert _runs(await store.expired(NOON + timedelta(hours=23))) == []
    assert _runs(await store.expired(NOON + timedelta(hours=24))) == ["late"]
    assert _runs(await store.expired(NOON + timedelta(hours=25))) == ["late", "later"]


async def test_an_expiry_that_was_decided_but_not_finished_is_found_again(store: RunStore) -> None:
    await store.create(OPEN)
    end = NOON + timedelta(hours=24)
    expiry = decided("expire", by="policy:expiry", after=timedelta(hours=24))
    assert await store.decide(RUN, expiry)
    assert _runs(await store.expired(end)) == [RUN]
    assert await store.decide(RUN, expiry)
    await store.update(replace(OPEN, status="rejected"))
    assert await store.expired(end) == ()
