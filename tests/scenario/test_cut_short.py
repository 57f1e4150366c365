from collections.abc import AsyncIterator
from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from agent.values.governance import Decision
from agent.values.identity import PrincipalId, ThreadKey
from agent.values.outcome import Clarification, Outcome, Proposal, RunRecord
from agent.values.turn import CardAction, Turn
from bot.delivery import slot_of
from bot.statuses import RUNNING
from bot.terminal.session import Session, session
from tests.scenario.approval import Desk
from tests.scenario.conftest import MakeSettings

QUESTION = "Top 10 merchants by processed amount last month"
VAGUE = "approval rate of Visa"
ANA = PrincipalId("ana")


@pytest.fixture
async def opened(settings_of: MakeSettings) -> AsyncIterator[Session]:
    async with session(settings_of(), Console(file=StringIO(), width=200)) as running:
        yield running


async def handled(opened: Session, turn: Turn) -> Outcome | None:
    stop = await opened.product.runner.handle(turn)
    return stop.outcome if stop else None


async def runs(opened: Session) -> tuple[RunRecord, ...]:
    return await opened.product.stores.lists.recent(ANA, 10)


async def decided(opened: Session, proposal: Proposal, decision: Decision) -> RunRecord:
    store = opened.product.stores.runs
    assert await store.decide(proposal.run, replace(decision, revision=proposal.revision))
    record = await store.get(proposal.run)
    assert record is not None
    return record


async def test_a_message_changes_a_proposal_once_however_often_it_is_handled(opened: Session) -> None:
    await Desk(session=opened).propose(QUESTION)
    step = await opened.say("only Visa", "ana", "t")
    assert step.stop is not None
    again = await handled(opened, step.turn)
    assert isinstance(again, Proposal)
    assert again.revision == 2
    assert [record.revision for record in await runs(opened)] == [2]


@pytest.mark.parametrize("is_running", [False, True])
async def test_a_change_cut_short_after_its_decision_is_made_when_its_message_comes_again(
    opened: Session, is_running: bool
) -> None:
    proposal = await Desk(session=opened).propose(QUESTION)
    turn = (await opened.say("help", "ana", "elsewhere")).turn
    turn = replace(turn, event_id="console:change", thread=opened_in(await runs(opened)), text="only Visa")
    now = opened.product.clock.now()
    change = Decision(
        kind="change", by=ANA, at=now, fingerprint=proposal.fingerprint, text="only Visa", event=turn.event_id
    )
    record = await decided(opened, proposal, change)
    if is_running:
        await opened.product.stores.runs.update(replace(record, status=RUNNING))
    newer = await handled(opened, turn)
    assert isinstance(newer, Proposal)
    assert (newer.revision, newer.changes) != (1, ())
    assert "Visa" in newer.query.sql
    assert len(await runs(opened)) == 1


async def test_a_choice_that_was_made_shows_its_proposal_when_it_is_handled_again(opened: Session) -> None:
    asked = (await opened.say(VAGUE, "ana", "t")).stop
    assert asked is not None
    assert isinstance(asked.outcome, Clarification)
    action = CardAction(verb="choose", run=asked.outcome.run, value=asked.outcome.options[0].value)
    step = await opened.press(action, "ana", "t")
    assert step.stop is not None
    assert isinstance(step.stop.outcome, Proposal)
    again = await handled(opened, step.turn)
    assert isinstance(again, Proposal)
    assert again.fingerprint == step.stop.outcome.fingerprint


async def test_words_that_answered_a_question_are_no_new_question_when_they_are_handled_again(opened: Session) -> None:
    await opened.say(VAGUE, "ana", "t")
    step = await opened.say("last month", "ana", "t")
    assert step.stop is not None
    again = await handled(opened, step.turn)
    assert isinstance(again, Proposal)
    assert (again.run, again.revision) == (step.stop.outcome.run, 1)
    assert len(await runs(opened)) == 1


async def test_a_withdrawal_cut_short_is_finished_by_the_next_stop(opened: Session) -> None:
    proposal = await Desk(session=opened).propose(QUESTION)
    now = opened.product.clock.now()
    await decided(
        opened, proposal, Decision(kind="cancel", by=ANA, at=now, fingerprint=proposal.fingerprint, by_name="ana")
    )
    await opened.say("stop", "ana", "t")
    assert [record.status for record in await runs(opened)] == ["rejected"]


def opened_in(held: tuple[RunRecord, ...]) -> ThreadKey:
    return ThreadKey(held[0].thread)


async def test_what_was_taken_back_before_its_card_was_posted_is_said_when_its_turn_comes_again(
    opened: Session,
) -> None:
    step = await opened.say(VAGUE, "ana", "t")
    assert step.stop is not None
    asked, cards = step.stop.outcome, opened.product.stores.cards
    async with opened.product.stores.pool.connection() as connection:
        await connection.execute("DELETE FROM countersign.cards WHERE run = %s", (asked.run,))
    await opened.say("stop", "ana", "t")
    assert await cards.get(asked.run, slot_of(asked)) is None
    assert await handled(opened, step.turn) is None
    assert await cards.get(asked.run, slot_of(asked)) is not None
