import json
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from rich.console import Console

from agent.values.identity import RunId
from bot.terminal.session import session
from bot.working import expire_proposals
from tests.fakes.clock import FrozenClock
from tests.scenario.approval import Desk
from tests.scenario.conftest import MakeSettings

QUESTION = "What was the approval rate of the last seven days by channel?"


@pytest.fixture
async def desk(settings_of: MakeSettings) -> AsyncIterator[Desk]:
    async with session(settings_of(), Console(file=StringIO(), width=200)) as opened:
        yield Desk(session=opened)


async def events_of(desk: Desk, run: RunId) -> list[str]:
    """What happened to the run, in order; a decision with its kind."""
    entries = [entry async for entry in desk.session.product.stores.audit.entries(run)]
    return [f"{entry.event}:{entry.facts['kind']}" if entry.event == "decided" else entry.event for entry in entries]


async def test_approved_rejected_expired_cancelled_superseded_and_refused_are_told_apart(desk: Desk) -> None:
    proposed = ["asked", "understood", "proposed", "delivered"]

    approved = await desk.propose(QUESTION)
    await desk.press("approve", approved)
    assert await events_of(desk, approved.run) == [*proposed, "decided:approve", "ran", "answered", "delivered"]

    rejected = await desk.propose(QUESTION)
    await desk.press("reject", rejected, "wrong period")
    assert await events_of(desk, rejected.run) == [*proposed, "decided:reject", "rejected", "delivered"]

    cancelled = await desk.propose(QUESTION)
    await desk.press("cancel", cancelled)
    assert await events_of(desk, cancelled.run) == [*proposed, "decided:cancel", "cancelled", "delivered"]

    replaced = await desk.propose(QUESTION)
    await desk.change(replaced, "limit 2")
    told = await events_of(desk, replaced.run)
    assert told[:6] == [*proposed, "decided:change", "superseded"]
    assert told[6:].count("proposed") == 1

    refused = await desk.propose(QUESTION)
    await desk.press("change", refused, "SELECT * FROM operational.merchants")
    entries = [entry async for entry in desk.session.product.stores.audit.entries(refused.run)]
    assert [entry.facts["rule"] for entry in entries if entry.event == "refused"] == ["source_not_allowed"]

    lapsed = await desk.propose(QUESTION)
    await expire_proposals(replace(desk.session.product, clock=FrozenClock(datetime.now(UTC) + timedelta(hours=25))))
    assert await events_of(desk, lapsed.run) == [*proposed, "expired"]


async def test_a_reason_and_a_question_are_never_in_the_log(desk: Desk) -> None:
    proposal = await desk.propose(QUESTION)
    await desk.press("reject", proposal, "wrong period")
    entries = [entry async for entry in desk.session.product.stores.audit.entries()]
    written = json.dumps([entry.facts for entry in entries])
    assert "wrong period" not in written
    assert "approval rate" not in written.lower()
    assert await desk.session.product.stores.audit.verify() is None
