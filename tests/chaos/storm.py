"""One seed: a deployment, its people, its mishaps, and the verdict."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from aiohttp import ClientSession
from psycopg.conninfo import make_conninfo

from adapters.control.postgres.audit import PostgresAuditLog
from adapters.control.postgres.connections import create_pool
from tests.chaos.conversations import Plan, in_slack, in_teams, plans
from tests.chaos.deployment import Deployment, Stores, deployed, own_stores
from tests.chaos.ledger import Ledger
from tests.chaos.mishaps import Mishaps
from tests.chaos.models import AGENTS, FickleModel, fickle_model
from tests.chaos.people import Post, SlackSide, TeamsSide
from tests.chaos.verdict import Evidence, breaches, outcomes
from tests.contract.shop import socket_of
from tests.fakes.clock import FrozenClock
from tests.fakes.relay import Relay, open_relay
from tests.fakes.slack.server import SlackServer, serving
from tests.fakes.slack.workspace import BOT_TOKEN, Workspace
from tests.fakes.teams.connector import APP_ID, PASSWORD, TENANT, TeamsStandIn
from tests.scenario.slack import SECRET

POLICY = Path(__file__).resolve().parents[1] / "scenario" / "policy.yaml"


@dataclass(frozen=True, kw_only=True)
class Weather:
    """How bad it is. Seconds: between two people, between two mishaps, and for everything to come to rest.

    Whether a delivery was answered in time is not judged where other tests share the machine.
    """

    conversations: int
    between_people: float
    between_mishaps: float
    patience: float
    judges_time: bool = True


@dataclass(frozen=True, kw_only=True)
class Report:
    """What happened under one seed."""

    seed: int
    breaches: tuple[str, ...]
    facts: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class World:
    """Everything around the processes."""

    stores: Stores
    workspace: Workspace
    teams: TeamsStandIn
    warehouse: Relay
    model: FickleModel
    deployment: Deployment


async def weather(seed: int, bad: Weather, folder: Path, warehouse_url: str) -> Report:
    """Let it happen. `warehouse_url` is a reader's, on a unix socket; `folder` is empty and this run's own."""
    chance = random.Random(seed)  # noqa: S311  # a test that can be repeated
    began = monotonic()
    async with _world(chance, folder, warehouse_url) as world, ClientSession() as session:
        post = Post(urls=world.deployment.urls, chance=chance)
        ledger = Ledger(url=world.stores.control)
        mishaps = Mishaps(
            chance=chance, deployment=world.deployment, stores=world.stores, warehouse=world.warehouse,
            workspace=world.workspace, teams=world.teams, model=world.model, pause_seconds=bad.between_mishaps,
        )  # fmt: skip
        sides = (
            SlackSide(workspace=world.workspace, session=session, post=post),
            TeamsSide(teams=world.teams, post=post),
        )
        done, late = await _happen(bad, chance, sides, mishaps, ledger)
        evidence = Evidence(
            plans=done,
            ledger=ledger,
            workspace=world.workspace,
            teams=world.teams,
            post=post,
            judges_time=bad.judges_time,
        )
        found = [*late, *breaches(evidence), *await _broken_chain(world.stores.control)]
        facts = (
            f"{len(done)} conversations in {monotonic() - began:.0f} s: {dict(outcomes(evidence))}",
            f"{post.deliveries} deliveries, {post.refusals} not taken, slowest answer {post.slowest:.2f} s",
            f"mishaps: {dict(mishaps.happened)}; processes that ended by themselves: {world.deployment.deaths}",
        )
    return Report(seed=seed, breaches=tuple(found), facts=facts)


async def _happen(
    bad: Weather, chance: random.Random, sides: tuple[SlackSide, TeamsSide], mishaps: Mishaps, ledger: Ledger
) -> tuple[tuple[Plan, ...], list[str]]:
    """Everybody talks while everything goes wrong; then it is quiet until nothing is left to do."""
    looking, ended = asyncio.create_task(ledger.keep_looking()), asyncio.Event()
    trouble = asyncio.create_task(mishaps.go_on(ended))
    talks: list[asyncio.Task[Plan]] = []
    for plan in plans(chance, bad.conversations):
        slack = plan.platform == "slack"
        held = in_slack(sides[0], plan, ledger) if slack else in_teams(sides[1], plan, ledger)
        talks.append(asyncio.create_task(held))
        await asyncio.sleep(chance.uniform(0, 2 * bad.between_people))
    finished, unfinished = await asyncio.wait(talks, timeout=bad.patience)
    ended.set()
    await trouble
    for unended in unfinished:
        unended.cancel()
    late = [f"{len(unfinished)} conversations came to no end"] if unfinished else []
    done = tuple(sorted((each.result() for each in finished), key=lambda plan: plan.number))
    if not await _at_rest(done, ledger, bad.patience):
        late.append(f"not at rest: {ledger.left}")
    looking.cancel()
    await asyncio.gather(looking, return_exceptions=True)
    return done, late


async def _at_rest(done: tuple[Plan, ...], ledger: Ledger, patience: float) -> bool:
    until = monotonic() + patience
    while monotonic() < until:
        ends = [ledger.has_ended(plan.place) for plan in done]
        if all(ends) and not any(ledger.left.values()):
            return True
        await asyncio.sleep(0.5)
    return False


async def _broken_chain(control: str) -> list[str]:
    pool = create_pool(control)
    try:
        broken = await PostgresAuditLog(pool, FrozenClock()).verify()
    finally:
        await pool.close()
    return [] if broken is None else [f"the audit chain breaks at entry {broken}"]


@asynccontextmanager
async def _world(chance: random.Random, folder: Path, warehouse_url: str) -> AsyncIterator[World]:
    workspace, teams = Workspace(shared_after_calls=1), TeamsStandIn()
    workspace.add_user("U0ANA", name="Ana", locale="en-US")
    workspace.add_user("U0BOB", name="Bob", locale="en-US")
    workspace.add_conversation("C0SALES", "U0ANA", "U0BOB")
    slack = SlackServer(workspace)
    async with AsyncExitStack() as stack:
        stores = await stack.enter_async_context(own_stores(folder / "stores"))
        relay = await stack.enter_async_context(open_relay(socket_of(warehouse_url)))
        slack.url = await stack.enter_async_context(serving(slack.app()))
        teams.listen_at(f"{await stack.enter_async_context(serving(teams.application()))}/")
        model, model_url = await stack.enter_async_context(fickle_model(chance))
        agents = folder / "agents.yaml"
        agents.write_text(AGENTS.format(url=model_url), encoding="utf-8")
        reader = make_conninfo(warehouse_url, host="127.0.0.1", port=relay.port)
        settings = {
            "CONTROL_DATABASE_URL": stores.control,
            "REDIS_URL": stores.services.valkey,
            "WAREHOUSE_URLS": f'{{"payments": "{_url(reader)}"}}',
            "POLICY_FILE": str(POLICY),
            "AGENTS_FILE": str(agents),
            "LLM_API_KEY": "none",
            "FIXED_TODAY": "2026-11-01",
            "SLACK_BOT_TOKEN": BOT_TOKEN,
            "SLACK_SIGNING_SECRET": SECRET,
            "SLACK_API_URL": slack.api,
            "SLACK_SECONDS_BETWEEN_POSTS": "0",
            "TEAMS_APP_ID": APP_ID,
            "TEAMS_APP_PASSWORD": PASSWORD,
            "TEAMS_TENANT_ID": TENANT,
            "TURNS_PER_MINUTE": "10000",
        }
        config = teams.config()
        deployment = await stack.enter_async_context(deployed(folder, settings, config.endpoints))
        yield World(
            stores=stores, workspace=workspace, teams=teams, warehouse=relay, model=model, deployment=deployment
        )
        slack.stop()


def _url(conninfo: str) -> str:
    """A URL of the same: settings take no other form."""
    parts = dict(part.split("=", 1) for part in conninfo.split())
    return f"postgresql://{parts['user']}@127.0.0.1:{parts['port']}/{parts['dbname']}"
