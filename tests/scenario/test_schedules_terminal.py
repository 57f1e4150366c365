from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import timedelta
from io import StringIO
from pathlib import Path

import psycopg
import pytest
from rich.console import Console

from agent.values.identity import PrincipalId
from agent.values.outcome import Answer, Outcome, Proposal, Refusal
from agent.values.schedule import Schedule
from agent.values.turn import CardAction
from bot.terminal.conversation import Approval, ask_once
from bot.terminal.session import Session, session
from tests.scenario.conftest import POLICY, MakeSettings

RATE = "What was the approval rate of the last seven days?"
APPROVE = Approval(kind="approve")


@dataclass(frozen=True, slots=True, kw_only=True)
class Terminal:
    """One terminal thread, what it shows, and what is kept."""

    session: Session
    screen: StringIO

    async def say(self, text: str, role: str = "ana") -> str:
        """What the terminal shows of it."""
        start = len(self.screen.getvalue())
        await self.session.say(text, role, "t")
        return self.screen.getvalue()[start:]

    async def press(self, verb: str, schedule: Schedule, role: str) -> str:
        start = len(self.screen.getvalue())
        action = CardAction(verb=verb, value=schedule.id)  # type: ignore[arg-type]  # a verb of ours
        await self.session.press(action, role, "t")
        return self.screen.getvalue()[start:]

    async def schedules(self) -> tuple[Schedule, ...]:
        return await self.session.product.stores.schedules.of(PrincipalId("ana"))

    async def come_due(self, schedule: Schedule) -> None:
        """As if its time had come three weeks ago."""
        store = self.session.product.stores.schedules
        late = self.session.product.clock.now() - timedelta(days=21)
        assert await store.update(replace(schedule, due_at=late), schedule.status)

    async def run_due(self) -> list[Outcome | None]:
        return [step.stop.outcome if step.stop else None for step in await self.session.run_due()]

    def events(self) -> list[str]:
        with psycopg.connect(self.session.product.addresses.control) as connection:
            return [row[0] for row in connection.execute("SELECT event FROM countersign.audit ORDER BY id").fetchall()]


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    """Olga may approve a kind, or a schedule, for 30 days; Ana may not."""
    text = POLICY.read_text(encoding="utf-8")
    people = "  - {id: olga, name: Olga, roles: [owner], console: olga}\n"
    text = text.replace("roles:\n", "roles:\n  owner: {domains: [payments], may_approve: any}\n", 1)
    text = text.replace("\napproval:", f"{people}\napproval:\n  standing: {{roles: [owner], days: 30}}")
    path = tmp_path / "policy.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
async def terminal(settings_of: MakeSettings, policy: Path) -> AsyncIterator[Terminal]:
    screen = StringIO()
    async with session(settings_of(policy_file=policy), Console(file=screen, width=200)) as opened:
        yield Terminal(session=opened, screen=screen)


def edit(path: Path, before: str, after: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


async def test_a_schedule_from_words_to_its_end(terminal: Terminal, policy: Path) -> None:
    assert "no answer of yours" in await terminal.say("send me this every Monday at 9:00")
    await ask_once(terminal.session, RATE, role="ana", thread="t", approval=APPROVE)
    assert "did not understand the condition" in await terminal.say("send me this every day if it rains")
    made = await terminal.say("send me this every Monday at 9:00 Europe/Madrid")
    assert "every Monday at 9:00, Madrid time" in made
    assert "once, for 30 days, by Olga" in made
    [schedule] = await terminal.schedules()
    assert schedule.status == "waiting"
    assert await terminal.run_due() == []
    assert "may not approve this schedule. Ask Olga" in await terminal.press("schedule_approve", schedule, "ana")
    await terminal.press("schedule_approve", schedule, "olga")
    [schedule] = await terminal.schedules()
    assert schedule.status == "active"
    assert schedule.due_at.weekday() == 0
    await runs_once_for_all_it_missed(terminal, schedule)
    await is_refused_over_budget_and_goes_on_the_next_time(terminal, policy)
    await is_listed_paused_resumed_and_deleted(terminal)
    assert {"schedule_created", "schedule_turned_down", "schedule_approved", "schedule_deleted"} <= set(
        terminal.events()
    )


async def runs_once_for_all_it_missed(terminal: Terminal, schedule: Schedule) -> None:
    await terminal.come_due(schedule)
    [answer] = await terminal.run_due()
    assert isinstance(answer, Answer)
    assert answer.approved_by == "standing:Olga"
    assert "scheduled every Monday at 9:00" in terminal.screen.getvalue()
    assert await terminal.run_due() == []
    [moved_on] = await terminal.schedules()
    assert moved_on.due_at > terminal.session.product.clock.now()


async def is_refused_over_budget_and_goes_on_the_next_time(terminal: Terminal, policy: Path) -> None:
    [schedule] = await terminal.schedules()
    await terminal.come_due(schedule)
    edit(policy, "analyst: {domains:", "analyst: {budgets: {queries_per_day: 1}, domains:")
    [refused] = await terminal.run_due()
    assert isinstance(refused, Refusal)
    assert refused.rule == "budget_person_queries"
    [schedule] = await terminal.schedules()
    assert schedule.status == "active"
    edit(policy, "{budgets: {queries_per_day: 1}, ", "{")


async def is_listed_paused_resumed_and_deleted(terminal: Terminal) -> None:
    assert "1. Approval rate" in await terminal.say("my schedules")
    assert "Paused" in await terminal.say("pause schedule 1")
    [paused] = await terminal.schedules()
    await terminal.come_due(paused)
    assert await terminal.run_due() == []
    assert "каждый понедельник в 9:00" in await terminal.say("мои расписания")
    assert "cada lunes a las 9:00" in await terminal.say("reanuda el envío 1")
    [resumed] = await terminal.schedules()
    assert resumed.status == "active"
    assert resumed.due_at > terminal.session.product.clock.now()
    assert "no such schedule" in await terminal.say("delete schedule 7")
    assert "Deleted" in await terminal.say("delete schedule 1")
    assert await terminal.schedules() == ()


async def test_an_alert_speaks_only_when_its_condition_holds(terminal: Terminal) -> None:
    await ask_once(terminal.session, RATE, role="ana", thread="t", approval=APPROVE)
    for text in (
        "alert me every day at 9:00 only if approval rate < 5 %",
        "envíame esto cada día a las 9:00 solo si la tasa de aprobación > 5 %",
    ):
        await terminal.say(text)
    for schedule in await terminal.schedules():
        await terminal.press("schedule_approve", schedule, "olga")
    for schedule in await terminal.schedules():
        await terminal.come_due(schedule)
    shown = len(terminal.screen.getvalue())
    outcomes = await terminal.run_due()
    assert [type(outcome) for outcome in outcomes] == [Answer, Answer]
    said = terminal.screen.getvalue()[shown:]
    assert said.count("programado cada día a las 9:00") == 1
    assert "scheduled every day" not in said
    assert terminal.events().count("condition_not_met") == 1


async def test_without_an_approval_of_its_own_each_run_waits_for_a_signature(terminal: Terminal, policy: Path) -> None:
    edit(policy, "  standing: {roles: [owner], days: 30}\n", "")
    await ask_once(terminal.session, RATE, role="ana", thread="t", approval=APPROVE)
    assert "each time by a person" in await terminal.say("send this every Monday at 9:00")
    [schedule] = await terminal.schedules()
    await terminal.come_due(schedule)
    [proposal] = await terminal.run_due()
    assert isinstance(proposal, Proposal)
    action = CardAction(verb="approve", run=proposal.run, fingerprint=proposal.fingerprint)
    step = await terminal.session.press(action, "olga", "t")
    assert step.stop is not None
    assert isinstance(step.stop.outcome, Answer)


async def test_who_lost_their_rights_or_left_gets_nothing_and_is_told(terminal: Terminal, policy: Path) -> None:
    await ask_once(terminal.session, RATE, role="ana", thread="t", approval=APPROVE)
    await terminal.say("send me this every day")
    [schedule] = await terminal.schedules()
    await terminal.press("schedule_approve", schedule, "olga")
    [schedule] = await terminal.schedules()
    await terminal.come_due(schedule)
    edit(policy, "analyst: {domains: [payments]", "analyst: {domains: [scrap_prices]")
    [refused] = await terminal.run_due()
    assert isinstance(refused, Refusal)
    [paused] = await terminal.schedules()
    assert (paused.status, paused.why) == ("paused", "refused")
    assert "is paused: it was refused" in terminal.screen.getvalue()
    edit(policy, "analyst: {domains: [scrap_prices]", "analyst: {domains: [payments]")
    await terminal.say("resume schedule 1")
    [schedule] = await terminal.schedules()
    await terminal.come_due(schedule)
    edit(policy, "  - id: ana\n    name: Ana\n", "  - id: anna\n    name: Anna\n")
    edit(policy, "console: ana\n", "console: anna\n")
    assert await terminal.run_due() == [None]
    [paused] = await terminal.schedules()
    assert (paused.status, paused.why) == ("paused", "gone")
    assert "no longer knows Ana" in terminal.screen.getvalue()
