import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import psycopg
import pytest
from rich.console import Console

from agent.errors import WarehouseUnavailable
from agent.values.outcome import Answer, Rejected
from agent.values.turn import CardAction
from bot.demo.state import DomainData
from bot.terminal.session import Session, session
from tests.contract.shop import socket_of
from tests.fakes.relay import Relay, open_relay
from tests.scenario.approval import Desk
from tests.scenario.conftest import POLICY, MakeSettings
from tests.scenario.waiting import eventually

QUESTION = "approval rate by channel last month"
# Some hundred million pairs: it runs until somebody stops it.
ENDLESS = """
    SELECT COUNT(*) AS pairs
    FROM semantic.v_payment_transactions AS a JOIN semantic.v_payment_transactions AS b ON a.channel = b.channel
    WHERE a.transaction_date >= DATE '2026-08-15' AND a.transaction_date < DATE '2026-11-01'
      AND b.transaction_date >= DATE '2026-08-15' AND b.transaction_date < DATE '2026-11-01'
"""


@pytest.fixture
async def warehouse(payments: DomainData) -> AsyncIterator[Relay]:
    async with open_relay(socket_of(payments.reader_url)) as relay:
        yield relay


@pytest.fixture
async def desk(settings_of: MakeSettings, payments: DomainData, warehouse: Relay) -> AsyncIterator[Desk]:
    url = f"postgresql://agent_reader@127.0.0.1:{warehouse.port}/{payments.name}"
    async with session(settings_of(warehouse_urls={"payments": url}), Console(quiet=True)) as opened:
        yield Desk(session=opened)


def kept_results(opened: Session) -> int:
    with psycopg.connect(opened.product.addresses.control) as connection:
        (kept,) = connection.execute("SELECT count(*) FROM countersign.results").fetchone() or (0,)
    return int(kept)


async def test_an_approval_while_the_warehouse_is_away_is_answered_when_the_turn_comes_again(
    desk: Desk, warehouse: Relay
) -> None:
    proposal = await desk.propose(QUESTION)
    await warehouse.shut()
    action = CardAction(verb="approve", run=proposal.run, fingerprint=proposal.fingerprint)
    turn = desk.session.click(action, "ana", "t")
    for _ in range(2):
        with pytest.raises(WarehouseUnavailable):
            await desk.session.product.runner.handle(turn)
    assert kept_results(desk.session) == 0
    await warehouse.open()
    stop = await desk.session.product.runner.handle(turn)
    assert stop is not None
    assert isinstance(stop.outcome, Answer)
    assert desk.events() == [
        *("asked", "understood", "proposed", "delivered"),
        *("decided", "delayed", "ran", "answered", "delivered"),
    ]


async def test_a_warehouse_that_drops_the_connection_while_it_runs_leaves_nothing_half_delivered(
    desk: Desk, warehouse: Relay
) -> None:
    proposal = await desk.propose(QUESTION)
    turn = desk.session.click(
        CardAction(verb="approve", run=proposal.run, fingerprint=proposal.fingerprint), "ana", "t"
    )
    warehouse.freeze()
    running = asyncio.create_task(desk.session.product.runner.handle(turn))
    await eventually(lambda: "decided" in desk.events() or None, "the decision")
    await asyncio.sleep(0.3)
    await warehouse.shut()
    with pytest.raises(WarehouseUnavailable):
        await running
    assert kept_results(desk.session) == 0
    assert "answered" not in desk.events()
    await warehouse.open()
    stop = await desk.session.product.runner.handle(turn)
    assert stop is not None
    assert isinstance(stop.outcome, Answer)


@asynccontextmanager
async def unbounded(settings_of: MakeSettings, folder: Path) -> AsyncIterator[Desk]:
    """A process whose policy lets anything run for two minutes."""
    caps = "limits: {max_plan_rows: 1000000000000, max_plan_cost: 1000000000000, sql_timeout_seconds: 120}"
    text = POLICY.read_text(encoding="utf-8").replace("may_approve: any}", f"may_approve: any, {caps}}}")
    path = folder / "unbounded.yaml"
    path.write_text(text.replace("expires_after_hours: 24", "tiers: {edited: asker}"), encoding="utf-8")
    async with session(settings_of(policy_file=path), Console(quiet=True)) as opened:
        yield Desk(session=opened)


async def test_a_query_of_one_process_is_stopped_from_another(settings_of: MakeSettings, tmp_path: Path) -> None:
    async with unbounded(settings_of, tmp_path) as one, unbounded(settings_of, tmp_path) as other:
        proposal = await one.change(await one.propose(QUESTION), ENDLESS)
        assert proposal.turned_down == ""
        running = asyncio.create_task(one.press("approve", proposal))
        await eventually(lambda: "decided" in one.events()[-1:] or None, "the decision")
        await asyncio.sleep(0.5)
        assert (await other.session.press(CardAction(verb="cancel", run=proposal.run), "bob", "t")).stop is None
        await asyncio.sleep(1)
        assert not running.done()
        await other.session.press(CardAction(verb="cancel", run=proposal.run), "ana", "t")
        stopped = await running
        assert isinstance(stopped, Rejected)
        assert stopped.kind == "cancel"
        assert one.events()[-3:] == ["stop_asked", "cancelled", "delivered"]
        assert kept_results(one.session) == 0
