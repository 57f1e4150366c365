"""Several processes over one control database: what they may open, and what they read again."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from io import StringIO
from pathlib import Path
from shutil import copytree, rmtree

import psycopg
import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer
from psycopg.conninfo import conninfo_to_dict
from redis.asyncio import Redis
from rich.console import Console
from structlog.testing import capture_logs

from adapters.channels.console.channel import ConsoleChannel
from adapters.control.postgres.connections import Pool, connected, create_pool
from adapters.control.postgres.migrate import migrate
from adapters.control.postgres.processes import InForce, PostgresProcesses, Process, admit
from adapters.control.postgres.switches import PostgresSwitches
from adapters.control.redis.connections import create_client
from adapters.control.redis.connections import our_errors as cache_errors
from agent.errors import CacheUnavailable, StoreUnavailable, WarehouseUnavailable
from agent.policy.errors import PolicyError
from agent.repeating import repeated
from agent.values.identity import ThreadKey
from agent.values.outcome import Failure, Refusal
from agent.values.turn import Turn
from bot.addresses import addresses_of
from bot.bootstrap import Product, product
from bot.checkups.processes import ProcessCheckup
from bot.commands.catalog import reload_everywhere
from bot.connections import NoRoomForConnections, admitted, connection_needs
from bot.demo.state import DomainData
from bot.leases import Leases
from bot.processes import cache_name, this_process
from bot.settings import Settings
from bot.switchboard import CATALOG, want_reload
from bot.terminal.session import Session
from semantic_catalog.errors import CatalogError
from semantic_catalog.model import DomainName
from tests.integration.bot.test_inbox import TURN
from tests.scenario.approval import Desk
from tests.scenario.conftest import POLICY, settings_over

DOMAINS = Path(__file__).resolve().parents[3] / "semantic_catalog" / "domains"
SCRAP = DomainName("scrap_prices")


def worker(connections: int = 18, host: str = "host-a") -> Process:
    return this_process("worker", connections, host, 1)


@pytest.fixture
async def control(fresh_database: str) -> str:
    await migrate(fresh_database)
    return fresh_database


@pytest.fixture
async def pool(control: str) -> AsyncIterator[Pool]:
    pool = create_pool(control)
    yield pool
    await pool.close()


async def test_processes_that_start_at_once_never_claim_more_than_is_allowed(control: str, pool: Pool) -> None:
    starting = [worker(host=f"host-{number}") for number in range(5)]
    rooms = await asyncio.gather(*(admit(control, process, 40) for process in starting))
    assert sum(room.fits(18) for room in rooms) == 2
    assert (await PostgresProcesses(pool, 40).room()).claimed == 36


async def test_a_process_without_room_says_what_to_change_and_starts_once_another_ended(
    control: str, pool: Pool
) -> None:
    store, first, second = PostgresProcesses(pool, 30), worker(), worker(host="host-b")
    await admit(control, first, 30)
    with pytest.raises(NoRoomForConnections) as raised:
        await admitted(control, second, 30, patience=0)
    for told in ("this worker", "18 connections", "allows 30", "claim 18", "CONTROL_POOL_SIZE", "CONTROL_CONNECTIONS"):
        assert told in raised.value.detail
    await store.leave(first)
    await admitted(control, second, 30, patience=0)
    assert [seen.process for seen in await store.all()] == [second]


async def test_a_process_that_was_killed_holds_its_place_until_it_is_known_to_be_dead(control: str, pool: Pool) -> None:
    store, killed = PostgresProcesses(pool, 30), worker()
    await admit(control, killed, 30)
    await _silent(pool, killed, 9)
    assert [seen.is_live for seen in await store.all()] == [False]
    assert (await store.room()).claimed == 0
    async with await psycopg.AsyncConnection.connect(control, application_name=killed.name):
        assert [seen.is_live for seen in await store.all()] == [True]
        await _silent(pool, killed, 21)
        assert [seen.is_live for seen in await store.all()] == [False]
    await store.beat(killed, InForce(catalog="c1"))
    assert [(seen.is_live, seen.in_force.catalog) for seen in await store.all()] == [(True, "c1")]


async def test_without_a_budget_the_server_and_what_others_hold_are_the_limit(control: str, pool: Pool) -> None:
    database = conninfo_to_dict(control)["dbname"]
    async with connected(pool) as connection:
        await connection.execute(f'ALTER DATABASE "{database}" CONNECTION LIMIT 20'.encode())
    before = await PostgresProcesses(pool).room()
    async with await psycopg.AsyncConnection.connect(control):
        assert (await PostgresProcesses(pool).room()).allowed == before.allowed - 1
    assert before.allowed <= 20 < before.most
    with pytest.raises(NoRoomForConnections, match="raise max_connections of the server"):
        await admitted(control, worker(connections=21), 0, patience=0)


async def _silent(pool: Pool, process: Process, seconds: int) -> None:
    async with connected(pool) as connection:
        await connection.execute(
            "UPDATE countersign.processes SET seen_at = now() - make_interval(secs => %s) WHERE id = %s",
            (seconds, process.id),
        )


async def test_a_caller_who_finds_every_connection_in_use_hears_so_in_a_bounded_time(
    control: str, valkey_url: str
) -> None:
    pool, cache = (
        create_pool(control, max_connections=1, patience=0.2),
        create_client(valkey_url, patience=0.3, max_connections=1),
    )
    switches = PostgresSwitches(pool)
    async with connected(pool):
        with pytest.raises(StoreUnavailable):
            await switches.all()
    assert await switches.all() == {}
    waiting = asyncio.ensure_future(cache.blpop(["nothing"], 0.8))
    await asyncio.sleep(0.05)
    with pytest.raises(CacheUnavailable), cache_errors():
        await cache.get("key")
    await asyncio.gather(waiting, return_exceptions=True)
    assert await cache.get("key") is None
    await cache.aclose()
    await pool.close()


@pytest.fixture
def settings(
    fresh_database: str, valkey_url: str, payments: DomainData, scrap_prices: DomainData, tmp_path: Path
) -> Settings:
    """A catalog of one domain, with an address for a second one, and files that a test may edit."""
    copytree(DOMAINS / "payments", tmp_path / "domains" / "payments")
    (tmp_path / "policy.yaml").write_text(POLICY.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "agents.yaml").write_text("{}", encoding="utf-8")
    return settings_over(
        fresh_database,
        valkey_url,
        {"payments": payments.reader_url, "scrap_prices": scrap_prices.reader_url},
        tmp_path,
        catalog_dir=tmp_path / "domains",
        policy_file=tmp_path / "policy.yaml",
        agents_file=tmp_path / "agents.yaml",
        control_pool_size=3,
        redis_pool_size=3,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Two:
    """Two processes of one deployment that read the same files, and those files."""

    here: Desk
    there: Desk
    folder: Path

    @property
    def both(self) -> tuple[Product, Product]:
        return self.here.session.product, self.there.session.product

    async def look(self) -> None:
        """What each process does every few seconds."""
        for built in self.both:
            await built.presence.switchboard.look(at_once=True)
            await built.presence.beat()

    def edit(self, name: str, before: str, after: str) -> None:
        path = self.folder / name
        path.write_text(path.read_text(encoding="utf-8").replace(before, after), encoding="utf-8")

    def catalogs(self) -> set[str]:
        return {built.catalog.current().version for built in self.both}


@pytest.fixture
async def two(settings: Settings, tmp_path: Path) -> AsyncIterator[Two]:
    async with started(settings) as here, started(settings) as there:
        yield Two(here=here, there=there, folder=tmp_path)


@asynccontextmanager
async def started(settings: Settings) -> AsyncIterator[Desk]:
    channel = ConsoleChannel(Console(file=StringIO()), settings.analyst.out_dir)
    process = this_process("worker", connection_needs(settings, addresses_of(settings), "worker").control)
    async with product(settings, lambda _: {"console": channel}, process=process) as built:
        yield Desk(session=Session(built, channel))


async def test_a_reload_reaches_every_process_with_new_domains_and_without_gone_ones(two: Two) -> None:
    here, there = two.both
    copytree(DOMAINS / "scrap_prices", two.folder / "domains" / "scrap_prices")
    await here.presence.switchboard.reload("catalog", "ana")
    await two.look()
    assert len(two.catalogs()) == 1
    assert (await there.warehouses.of(SCRAP).health()).ok
    assert "warehouse_scrap_prices" in await there.operators.readiness.look()
    rmtree(two.folder / "domains" / "scrap_prices")
    assert "2 running processes" in await reload_everywhere(here.settings)
    await two.look()
    for built in two.both:
        assert [domain.name for domain in built.catalog.current().domains] == ["payments"]
        with pytest.raises(WarehouseUnavailable):
            built.warehouses.of(SCRAP)
    assert "warehouse_scrap_prices" not in await there.operators.readiness.look()


async def test_faulty_files_change_nothing_and_are_told_of_each_process(two: Two) -> None:
    here, there = two.both
    version = here.catalog.current().version
    two.edit("domains/payments/domain.yaml", "timezone:", "timezon:")
    with pytest.raises(CatalogError):
        await here.presence.switchboard.reload("catalog", "ana")
    assert here.presence.faults() == {"catalog"}
    assert not there.presence.faults()
    await want_reload(here.stores.switches, CATALOG, "shell", here.clock.now())
    two.edit("policy.yaml", "roles: [analyst]", "roles: [analyst")
    (two.folder / "agents.yaml").write_text("agents: {sql: {temperature: 9}}", encoding="utf-8")
    with capture_logs() as logs:
        await two.look()
    told = sorted(line["what"] for line in logs if line["event"] == "not_reloaded")
    assert told == ["catalog", "catalog", "models", "models", "policy", "policy"]
    assert two.catalogs() == {version}
    assert await faulty_by_http(there) == ["catalog", "models", "policy"]
    seen = await there.stores.processes.all()
    assert [each.in_force.faults for each in seen] == [("catalog", "models", "policy")] * 2
    found = [finding async for finding in checkup(two).findings()]
    assert [finding.health.ok for finding in found] == [True, False, False]
    assert "could not read catalog and models and policy again" in found[1].health.detail
    two.edit("domains/payments/domain.yaml", "timezon:", "timezone:")
    with pytest.raises(PolicyError):
        await there.presence.switchboard.reload("catalog", "ana")
    two.edit("policy.yaml", "roles: [analyst", "roles: [analyst]")
    await there.presence.switchboard.reload("catalog", "ana")
    await two.look()
    assert here.presence.faults() == there.presence.faults() == {"models"}


async def faulty_by_http(built: Product) -> object:
    """What the readiness of a process and its metrics say; both have to agree."""
    app = web.Application()
    app.router.add_routes(built.operators.all())
    async with TestClient(TestServer(app)) as http:
        ready = await http.get("/health/ready")
        faulty: list[str] = (await ready.json())["faulty"]
        figures = await (await http.get("/metrics")).text()
    assert ready.status == 200
    assert [what for what in faulty if f'countersign_config_faulty{{what="{what}"}} 1.0' in figures] == faulty
    assert 'countersign_control_connections{state="claimed"} 22.0' in figures
    assert 'countersign_processes{kind="worker"} 2.0' in figures
    return faulty


def checkup(two: Two) -> ProcessCheckup:
    built = two.both[0]
    return ProcessCheckup(settings=built.settings, addresses=built.addresses)


async def test_an_edited_policy_and_other_models_are_in_force_in_every_process(two: Two) -> None:
    two.edit("policy.yaml", "name: scenario", "name: edited")
    (two.folder / "agents.yaml").write_text("agents: {sql: {model: gpt-x}}", encoding="utf-8")
    await two.look()
    for built in two.both:
        assert built.policy.current().name == "edited"
        assert built.presence.reloads.models.current().writer is not None
    (two.folder / "agents.yaml").write_text("{}", encoding="utf-8")
    await two.both[1].presence.switchboard.reload("models", "ana")
    await two.look()
    assert [built.presence.reloads.models.current().writer for built in two.both] == [None, None]
    first, second = await two.both[0].stores.processes.all()
    assert first.in_force == second.in_force


async def test_what_one_process_proposed_is_not_run_by_one_that_has_another_catalog(two: Two) -> None:
    question = "What was the approval rate of the last seven days by channel?"
    changed = await two.here.propose(f"{question[:-1]} in Lima?")
    proposal = await two.here.propose(question)
    two.edit("domains/payments/domain.yaml", "timezone:", "# edited\ntimezone:")
    await two.both[1].presence.switchboard.reload("catalog", "ana")
    outcome = await two.there.press("approve", proposal)
    assert isinstance(outcome, Refusal)
    assert outcome.rule == "approval_outdated_catalog"
    again = await two.there.change(changed, "by card brand")
    assert again.query.catalog_version == two.both[1].catalog.current().version != changed.query.catalog_version
    assert "ran" not in two.there.events()


async def test_a_proposal_of_a_domain_that_is_gone_is_refused_in_words(two: Two) -> None:
    approved = await two.here.propose("What was the approval rate of the last seven days by channel?")
    changed = await two.here.propose("What was the approval rate of yesterday by channel?")
    rmtree(two.folder / "domains" / "payments")
    copytree(DOMAINS / "scrap_prices", two.folder / "domains" / "scrap_prices")
    two.edit("policy.yaml", "domains: [payments]", "domains: [payments, scrap_prices]")
    await two.both[1].presence.switchboard.reload("catalog", "ana")
    outcome = await two.there.press("approve", approved)
    assert isinstance(outcome, Refusal)
    assert outcome.rule == "approval_outdated_catalog"
    outcome = await two.there.press("change", changed, "by card brand")
    assert isinstance(outcome, Failure)
    assert outcome.code == "domain_gone"
    assert "ran" not in two.there.events()


async def test_under_load_no_more_connections_stand_than_the_process_claims(settings: Settings) -> None:
    needs = connection_needs(settings, addresses_of(settings), "worker")
    async with started(settings) as desk, open_connections(desk.session.product) as most:
        built = desk.session.product
        working = asyncio.create_task(built.inbox.work(slow_turn(built), Leases(built.stores.events), concurrency=8))
        await asyncio.gather(
            *(slow(built) for _ in range(12)),
            *(built.stores.cache.blpop(["nothing"], 0.1) for _ in range(5)),
            *(built.inbox.put(numbered(number)) for number in range(12)),
            *(built.operators.readiness.look_at("control") for _ in range(3)),
        )
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
    assert built.settings.stores.control_pool_size < most.control <= needs.control
    assert 1 < most.cache <= needs.cache


def numbered(number: int) -> Turn:
    return replace(TURN, event_id=f"slack:Ev{number}", thread=ThreadKey(f"{TURN.thread}{number}"))


async def slow(built: Product) -> None:
    async with connected(built.stores.pool) as connection:
        await connection.execute("SELECT pg_sleep(0.05)")


def slow_turn(built: Product) -> Callable[[Turn], Awaitable[None]]:
    async def handle(_: Turn) -> None:
        await slow(built)

    return handle


@dataclass(slots=True, kw_only=True)
class Most:
    """The most connections of one process that stood at once."""

    control: int = 0
    cache: int = 0


@asynccontextmanager
async def open_connections(built: Product) -> AsyncIterator[Most]:
    """Counted all the while inside, by the database and by the cache themselves."""
    most, cache = Most(), create_client(built.addresses.cache)
    async with repeated(partial(count, built, cache, most), 0.01):
        yield most
    await cache.aclose()


async def count(built: Product, cache: Redis, most: Most) -> None:
    process = built.presence.process
    async with await psycopg.AsyncConnection.connect(built.addresses.control) as connection:
        found = await connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = %s", (process.name,)
        )
        row = await found.fetchone()
    clients = [each for each in await cache.client_list() if each["name"] == cache_name(process)]
    most.control, most.cache = max(most.control, row[0] if row else 0), max(most.cache, len(clients))
