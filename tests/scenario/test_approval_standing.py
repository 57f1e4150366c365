from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

import psycopg
import pytest
from rich.console import Console

from agent.values.outcome import Answer, Proposal
from bot.commands.approvals import line_of
from bot.standing import StandingApprovals
from bot.terminal.session import session
from tests.scenario.approval import Desk
from tests.scenario.conftest import POLICY, MakeSettings

OCTOBER = "processed amount by channel last month"
LAST_WEEK = "processed amount by channel, last 7 days"
BY_BRAND = "processed amount by brand last month"


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    """Owners may approve a kind for 30 days, analysts may not."""
    text = POLICY.read_text(encoding="utf-8")
    people = "  - {id: olga, name: Olga, roles: [owner], console: olga}\n"
    text = text.replace("roles:\n", "roles:\n  owner: {domains: [payments], may_approve: any}\n", 1)
    text = text.replace("\napproval:", f"{people}\napproval:\n  standing: {{roles: [owner], days: 30}}")
    path = tmp_path / "policy.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def screen() -> StringIO:
    return StringIO()


@pytest.fixture
async def desk(settings_of: MakeSettings, policy: Path, screen: StringIO) -> AsyncIterator[Desk]:
    async with session(settings_of(policy_file=policy), Console(file=screen, width=200)) as opened:
        yield Desk(session=opened)


def edit(path: Path, before: str, after: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


def approvals(desk: Desk) -> StandingApprovals:
    return desk.session.product.standing


async def ask(desk: Desk, question: str, role: str = "ana") -> Answer | Proposal:
    step = await desk.session.say(question, role, "t")
    assert step.stop is not None
    assert isinstance(step.stop.outcome, Answer | Proposal)
    return step.stop.outcome


async def test_the_next_question_of_the_kind_runs_by_the_approval_and_says_whose_it_is(
    desk: Desk, screen: StringIO
) -> None:
    proposal = await desk.propose(OCTOBER)
    assert proposal.standing_days == 30
    assert "don’t ask again for 30 days" in screen.getvalue()
    assert isinstance(await desk.press("approve_always", proposal, role="olga"), Answer)
    following = await ask(desk, LAST_WEEK)
    assert isinstance(following, Answer)
    assert following.approved_by == "standing:Olga"
    assert "approved by the standing approval of Olga" in screen.getvalue()
    again = await ask(desk, LAST_WEEK)
    assert isinstance(again, Answer)
    assert again.fetched_at is not None
    assert "from an answer of " in screen.getvalue()
    assert desk.events().count("reused") == 1
    assert isinstance(await ask(desk, BY_BRAND), Proposal)
    assert isinstance(await ask(desk, OCTOBER, "bob"), Proposal)


async def test_who_gave_it_for_whom_until_when_is_kept_and_audited(desk: Desk) -> None:
    proposal = await desk.propose(OCTOBER)
    await desk.press("approve_always", proposal, role="olga")
    [held] = await approvals(desk).in_force()
    assert (held.asker, held.granted_by, held.expires_at - held.granted_at) == ("ana", "olga", timedelta(days=30))
    assert held.title in line_of(held)
    assert ("kind_approved", "olga") in {(event, by) for event, by, _ in desk.audit()}


async def test_an_approval_of_this_question_alone_gives_none_for_the_kind(desk: Desk) -> None:
    await desk.press("approve", await desk.propose(OCTOBER), role="olga")
    assert await approvals(desk).in_force() == ()
    assert isinstance(await ask(desk, LAST_WEEK), Proposal)


async def test_whom_the_policy_does_not_name_cannot_give_it_and_the_card_stays_open(
    desk: Desk, screen: StringIO
) -> None:
    proposal = await desk.propose(OCTOBER)
    assert await desk.press("approve_always", proposal) is None
    assert "once for all" in screen.getvalue()
    assert isinstance(await desk.press("approve", proposal), Answer)
    assert await approvals(desk).in_force() == ()


async def test_where_the_policy_offers_none_no_button_is_shown(settings_of: MakeSettings) -> None:
    screen = StringIO()
    async with session(settings_of(), Console(file=screen, width=200)) as opened:
        proposal = await Desk(session=opened).propose(OCTOBER)
        assert proposal.standing_days == 0
        assert "ask again" not in screen.getvalue()
        assert await Desk(session=opened).press("approve_always", proposal) is None


async def test_a_revoked_approval_signs_nothing_more(desk: Desk) -> None:
    await desk.press("approve_always", await desk.propose(OCTOBER), role="olga")
    [held] = await approvals(desk).in_force()
    assert await approvals(desk).revoke(held.id, "admin") == held
    assert isinstance(await ask(desk, LAST_WEEK), Proposal)
    assert ("kind_revoked", "admin") in {(event, by) for event, by, _ in desk.audit()}


async def test_an_ended_approval_signs_nothing_more(desk: Desk) -> None:
    await desk.press("approve_always", await desk.propose(OCTOBER), role="olga")
    with psycopg.connect(desk.session.product.addresses.control) as connection:
        connection.execute("UPDATE countersign.standing_approvals SET expires_at = %s", (datetime.now(UTC),))
    assert isinstance(await ask(desk, LAST_WEEK), Proposal)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("standing: {roles: [owner], days: 30}", ""),
        ("standing: {roles: [owner]", "standing: {roles: [analyst]"),
        ("owner: {domains: [payments], may_approve: any}", "owner: {domains: [payments], may_approve: none}"),
        ("  - {id: olga, name: Olga, roles: [owner], console: olga}\n", ""),
    ],
)
async def test_an_approval_counts_only_while_the_policy_still_lets_its_giver_give_it(
    desk: Desk, policy: Path, before: str, after: str
) -> None:
    await desk.press("approve_always", await desk.propose(OCTOBER), role="olga")
    edit(policy, before, after)
    assert isinstance(await ask(desk, LAST_WEEK), Proposal)


async def test_sql_edited_by_hand_never_runs_by_an_approval_of_a_kind(desk: Desk) -> None:
    await desk.press("approve_always", await desk.propose(OCTOBER), role="olga")
    edited = await desk.change(
        await desk.propose(BY_BRAND),
        "SELECT channel, SUM(processed_amount) AS a FROM semantic.v_daily_payment_metrics "
        "WHERE payment_date >= DATE '2026-10-01' AND payment_date < DATE '2026-11-01' GROUP BY channel",
    )
    assert edited.standing_days == 0
