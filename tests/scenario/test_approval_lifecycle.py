import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from shutil import copytree

import pytest
from rich.console import Console

from agent.values.outcome import Answer, Proposal, Refusal, Rejected
from agent.values.turn import CardAction
from bot.terminal.session import session
from bot.working import expire_proposals
from tests.fakes.clock import FrozenClock
from tests.scenario.approval import Desk
from tests.scenario.conftest import POLICY, MakeSettings

QUESTION = "What was the approval rate of the last seven days by channel?"
LIMA_ONLY = """analyst:
    domains: [payments]
    may_approve: any
    row_rules:
      - domain: payments
        sources: [semantic.v_daily_payment_metrics]
        column: region
        members: [Lima]
        label: {en: Lima only, es: Solo Lima, ru: Только Лима}"""
DOMAINS = Path(__file__).resolve().parents[2] / "semantic_catalog" / "domains"


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    """A policy of the test's own, to be edited."""
    path = tmp_path / "policy.yaml"
    text = POLICY.read_text(encoding="utf-8")
    carla = "  - {id: carla, name: Carla, roles: [analyst], console: carla}\n"
    path.write_text(text.replace("\napproval:", f"{carla}\napproval:"), encoding="utf-8")
    return path


def edit(path: Path, before: str, after: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


@asynccontextmanager
async def process(settings_of: MakeSettings, screen: StringIO | None = None, **changes: object) -> AsyncIterator[Desk]:
    """A process of its own over the test's stores."""
    async with session(settings_of(**changes), Console(file=screen or StringIO(), width=200)) as opened:
        yield Desk(session=opened)


@pytest.fixture
async def desk(settings_of: MakeSettings, policy: Path) -> AsyncIterator[Desk]:
    async with process(settings_of, policy_file=policy) as opened:
        yield opened


async def test_two_people_who_approve_at_once_in_two_processes_run_it_once(
    settings_of: MakeSettings, policy: Path
) -> None:
    async with process(settings_of, policy_file=policy) as one, process(settings_of, policy_file=policy) as other:
        proposal = await one.propose(QUESTION)
        outcomes = await asyncio.gather(
            one.press("approve", proposal, role="ana"), other.press("approve", proposal, role="carla")
        )
        assert [isinstance(outcome, Answer) for outcome in outcomes].count(True) == 1
        assert outcomes.count(None) == 1
        assert (one.events().count("decided"), one.events().count("ran")) == (1, 1)


async def test_one_person_who_approves_at_once_on_two_devices_runs_it_once(
    settings_of: MakeSettings, policy: Path
) -> None:
    async with process(settings_of, policy_file=policy) as one, process(settings_of, policy_file=policy) as other:
        proposal = await one.propose(QUESTION)
        outcomes = await asyncio.gather(one.press("approve", proposal), other.press("approve", proposal))
        assert outcomes.count(None) == 1
        assert one.events().count("ran") == 1


async def test_the_same_click_handled_again_after_its_answer_does_nothing_more(desk: Desk) -> None:
    proposal = await desk.propose(QUESTION)
    action = CardAction(verb="approve", run=proposal.run, fingerprint=proposal.fingerprint)
    step = await desk.session.press(action, "ana", "t")
    assert await desk.session.product.runner.handle(step.turn) is None
    assert desk.events().count("answered") == 1
    assert "turned_down" not in desk.events()


async def test_an_approval_after_the_rows_of_the_asker_changed_runs_nothing_and_the_card_says_why(
    settings_of: MakeSettings, policy: Path
) -> None:
    screen = StringIO()
    async with process(settings_of, screen, policy_file=policy) as desk:
        proposal = await desk.propose(QUESTION)
        edit(policy, "analyst: {domains: [payments], may_approve: any}", LIMA_ONLY)
        outcome = await desk.press("approve", proposal)
        assert isinstance(outcome, Refusal)
        assert outcome.rule == "approval_outdated_access"
        assert "ran" not in desk.events()
        assert desk.events()[-2:] == ["refused", "delivered"]
    assert "not run." in screen.getvalue()
    assert "Access has changed since this was shown" in screen.getvalue()


async def test_an_approval_after_the_caps_were_lowered_runs_nothing(desk: Desk, policy: Path) -> None:
    proposal = await desk.propose(QUESTION)
    edit(policy, "may_approve: any}", "may_approve: any, limits: {max_plan_cost: 1}}")
    outcome = await desk.press("approve", proposal)
    assert isinstance(outcome, Refusal)
    assert outcome.rule == "cost"


async def test_an_approval_after_a_second_person_was_asked_for_runs_nothing(desk: Desk, policy: Path) -> None:
    proposal = await desk.propose(QUESTION)
    edit(policy, "expires_after_hours: 24", "tiers: {routine: owner, compiled: owner}")
    outcome = await desk.press("approve", proposal)
    assert isinstance(outcome, Refusal)
    assert outcome.rule == "approval_outdated_signature"


async def test_a_click_after_the_right_to_approve_was_taken_away_is_turned_down(desk: Desk, policy: Path) -> None:
    proposal = await desk.propose(QUESTION)
    edit(policy, "may_approve: any", "may_approve: none")
    assert await desk.press("approve", proposal) is None
    assert desk.events()[-1] == "turned_down"


async def test_an_approval_after_the_catalog_changed_runs_nothing(settings_of: MakeSettings, tmp_path: Path) -> None:
    async with process(settings_of) as before:
        proposal = await before.propose(QUESTION)
    folder = tmp_path / "domains"
    copytree(DOMAINS, folder)
    with (folder / "payments" / "domain.yaml").open("a", encoding="utf-8") as file:
        file.write("# edited\n")
    async with process(settings_of, catalog_dir=folder) as after:
        outcome = await after.press("approve", proposal)
        assert isinstance(outcome, Refusal)
        assert outcome.rule == "approval_outdated_catalog"


async def test_a_click_on_sql_that_was_not_shown_is_turned_down(desk: Desk) -> None:
    proposal = await desk.propose(QUESTION)
    forged = replace(proposal, query=replace(proposal.query, fingerprint="0" * 64))
    assert await desk.press("approve", forged) is None
    assert desk.events()[-1] == "turned_down"


async def test_a_proposal_past_its_time_is_closed_its_card_says_so_and_nothing_runs(
    settings_of: MakeSettings, policy: Path
) -> None:
    screen = StringIO()
    async with process(settings_of, screen, policy_file=policy) as desk:
        proposal = await desk.propose(QUESTION)
        built = replace(desk.session.product, clock=FrozenClock(datetime.now(UTC) + timedelta(hours=25)))
        await expire_proposals(built)
        await expire_proposals(built)
        assert "Expired" in screen.getvalue()
        assert await desk.press("approve", proposal) is None
        assert desk.events() == ["asked", "understood", "proposed", "delivered", "expired", "turned_down"]


async def test_a_proposal_in_time_is_left_open(desk: Desk) -> None:
    proposal = await desk.propose(QUESTION)
    await expire_proposals(desk.session.product)
    assert isinstance(await desk.press("approve", proposal), Answer)


async def test_a_withdrawn_proposal_is_cancelled_and_not_rejected(desk: Desk) -> None:
    proposal = await desk.propose(QUESTION)
    outcome = await desk.press("cancel", proposal)
    assert isinstance(outcome, Rejected)
    assert outcome.kind == "cancel"
    assert desk.events()[-2:] == ["cancelled", "delivered"]


async def test_every_approver_is_named_the_asker_among_them_only_where_they_may(desk: Desk) -> None:
    assert (await desk.propose(QUESTION, role="bob")).approvers == ("Ana", "Carla")
    assert (await desk.propose(QUESTION, role="carla")).approvers == ("Carla", "Ana")


async def test_a_trusted_question_runs_by_itself_where_the_policy_says_so(desk: Desk, policy: Path) -> None:
    edit(policy, "expires_after_hours: 24", "tiers: {routine: auto, heavy: auto, trusted: auto}")
    step = await desk.session.say("Top 10 merchants by processed amount last month", "ana", "t")
    assert step.stop is not None
    answer = step.stop.outcome
    assert isinstance(answer, Answer)
    assert answer.query.origin == "trusted"
    assert answer.approved_by == "policy:scenario"
    assert ("ran", "policy:scenario") in {(event, by) for event, by, _ in desk.audit()}
    asked = await desk.session.say("processed amount by brand last month", "ana", "t")
    assert asked.stop is not None
    assert isinstance(asked.stop.outcome, Proposal)


async def test_a_long_result_may_need_a_second_person(desk: Desk, policy: Path) -> None:
    edit(
        policy,
        "expires_after_hours: 24",
        "tiers: {heavy: owner}\n  heavy: {rows: 1, cost: 1, bytes: 1, result_rows: 50}",
    )
    short = await desk.propose(QUESTION)
    long = await desk.propose("processed amount by merchant last month")
    assert short.risk.tier == "asker"
    assert (long.risk.tier, long.risk.reasons) == ("owner", ("large_result",))
