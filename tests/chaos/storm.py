"""One seed: a deployment, its people, its mishaps, and the verdict."""

import asyncio
import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from aiohttp import ClientSession

from adapters.control.postgres.audit import PostgresAuditLog
from adapters.control.postgres.connections import create_pool
from tests.chaos.ledger import Ledger
from tests.chaos.mishaps import Mishaps
from tests.chaos.plans import Plan, plans
from tests.chaos.post import Post
from tests.chaos.readers import Scene
from tests.chaos.records import read_records
from tests.chaos.rooms import Room, SlackRoom, TeamsRoom
from tests.chaos.talks import Talk
from tests.chaos.verdict import Evidence, breaches, outcomes
from tests.chaos.warehouse_side import reads_of
from tests.chaos.world import World, world
from tests.fakes.clock import FrozenClock


@dataclass(frozen=True, kw_only=True)
class Weather:
    """How bad it is. Seconds: between two people, between two mishaps, and for everything to come to rest.

    Whether a delivery was answered in time is not judged where other work shares the machine; `wants_all` makes every
    kind of mishap a must.
    """

    conversations: int
    between_people: float
    between_mishaps: float
    patience: float
    judges_time: bool = True
    wants_all: bool = True


@dataclass(frozen=True, kw_only=True)
class Report:
    """What happened under one seed."""

    seed: int
    seconds: float
    breaches: tuple[str, ...]
    outcomes: Mapping[str, int]
    happened: Mapping[str, int]
    facts: tuple[str, ...]


async def weather(seed: int, bad: Weather, folder: Path, warehouse_url: str) -> Report:
    """Let it happen. `warehouse_url` is a reader's, on a unix socket; `folder` is empty and this run's own."""
    chance = random.Random(seed)  # noqa: S311  # a test that can be repeated
    planned, began = tuple(plans(chance, bad.conversations)), monotonic()
    async with world(chance, planned, folder, warehouse_url) as around, ClientSession() as session:
        post, ledger = Post(urls=around.deployment.urls, chance=chance), Ledger(url=around.stores.control)
        mishaps = Mishaps(
            chance=chance, deployment=around.deployment, stores=around.stores, warehouse=around.warehouse,
            workspace=around.workspace, teams=around.teams, model=around.model, pause_seconds=bad.between_mishaps,
        )  # fmt: skip
        talks = [Talk(plan=p, room=_room(p, around, session, post), ledger=ledger, chance=chance) for p in planned]
        watching = asyncio.create_task(post.watch_own_lag())
        late = await _happen(bad, chance, talks, mishaps, ledger)
        watching.cancel()
        evidence = _evidence(around, talks, mishaps, post, ledger)
        found = [*late, *breaches(evidence, judges_time=bad.judges_time, wants_all=bad.wants_all)]
        found += await _broken_chain(around.stores.control)
    return _report(seed, monotonic() - began, found, evidence, around)


def _room(plan: Plan, around: World, session: ClientSession, post: Post) -> Room:
    if plan.platform == "teams":
        return TeamsRoom(plan=plan, teams=around.teams, post=post)
    return SlackRoom(plan=plan, workspace=around.workspace, session=session, post=post)


async def _happen(
    bad: Weather, chance: random.Random, talks: list[Talk], mishaps: Mishaps, ledger: Ledger
) -> list[str]:
    """Everybody talks while everything goes wrong; then it is quiet until nothing is left to do."""
    looking, ended = asyncio.create_task(ledger.keep_looking()), asyncio.Event()
    trouble = asyncio.create_task(mishaps.go_on(ended))
    held: list[asyncio.Task[None]] = []
    for talk in talks:
        held.append(asyncio.create_task(talk.hold()))
        await asyncio.sleep(chance.uniform(0, 2 * bad.between_people))
    _, unfinished = await asyncio.wait(held, timeout=bad.patience)
    ended.set()
    await trouble
    for unended in unfinished:
        unended.cancel()
    results = await asyncio.gather(*held, return_exceptions=True)
    late = [
        f"conversation {talk.plan.number} ({talk.plan.kind}): {result!r}"
        for talk, result in zip(talks, results, strict=True)
        if result is not None
    ]
    ended_by_people = [talk for talk, result in zip(talks, results, strict=True) if result is None]
    if not await _at_rest(ended_by_people, ledger, bad.patience):
        late.append(f"not at rest: {ledger.left}")
    looking.cancel()
    await asyncio.gather(looking, return_exceptions=True)
    return late


async def _at_rest(talks: list[Talk], ledger: Ledger, patience: float) -> bool:
    until = monotonic() + patience
    while monotonic() < until:
        if all(talk.is_over for talk in talks) and not any(ledger.left.values()):
            return True
        await asyncio.sleep(0.5)
    return False


def _evidence(around: World, talks: list[Talk], mishaps: Mishaps, post: Post, ledger: Ledger) -> Evidence:
    records = read_records(ledger)
    clicks: Counter[str] = Counter()
    for talk in talks:
        clicks.update(talk.clicks)
    scene = Scene(
        plans=tuple(talk.plan for talk in talks),
        rooms={talk.plan.number: talk.room for talk in talks},
        workspace=around.workspace,
        teams=around.teams,
        to_strangers=tuple(shown for talk in talks for shown in talk.to_strangers),
    )
    return Evidence(
        scene=scene,
        records=records,
        reads=reads_of(around.statements.reads, records, mishaps.spells),
        post=post,
        happened=mishaps.happened + post.happened + clicks,
        spells=tuple(mishaps.spells),
    )


def _report(seed: int, seconds: float, found: list[str], evidence: Evidence, around: World) -> Report:
    post, reads = evidence.post, evidence.reads
    took = sorted(post.seconds)
    facts = (
        f"{len(evidence.scene.plans)} conversations in {seconds:.0f} s",
        f"deliveries answered: p50 {took[len(took) // 2]:.3f} s, p99 {took[len(took) * 99 // 100]:.2f} s, "
        f"slowest {took[-1]:.2f} s (who measured it was late by {post.own_lag:.2f} s at most)",
        f"queries sent to the warehouse: {reads.sent}, {reads.again} of them again after a mishap",
        f"processes that ended by themselves: {around.deployment.deaths or 'none'}",
    )
    return Report(
        seed=seed,
        seconds=seconds,
        breaches=tuple(found),
        outcomes=outcomes(evidence.scene, evidence.records),
        happened=dict(sorted(evidence.happened.items())),
        facts=facts,
    )


async def _broken_chain(control: str) -> list[str]:
    pool = create_pool(control)
    try:
        broken = await PostgresAuditLog(pool, FrozenClock()).verify()
    finally:
        await pool.close()
    return [] if broken is None else [f"the audit chain breaks at entry {broken}"]
