from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest

from agent.values.identity import PrincipalId
from bot.bootstrap import Product
from tests.fakes.slack.deliveries import sample
from tests.fakes.slack.workspace import Json, Workspace
from tests.scenario.conftest import POLICY, MakeSettings
from tests.scenario.slack import SlackPeople, buttons_of, slack_talk, text_of
from tests.scenario.test_slack_approvers import direct_card, press_alone
from tests.scenario.waiting import eventually

RATE = "What was the approval rate of the last seven days?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Office:
    """People in Slack, and the product behind them."""

    people: SlackPeople
    product: Product


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    """Carla may approve schedules for 30 days; Ana may not."""
    text = POLICY.read_text(encoding="utf-8")
    carla = "  - {id: carla, name: Carla, roles: [owner], slack: [{team: T0HOME, user: U0CAR}]}\n"
    text = text.replace("roles:\n", "roles:\n  owner: {domains: [payments], may_approve: any}\n", 1)
    text = text.replace("\napproval:", f"{carla}\napproval:", 1)
    path = tmp_path / "policy.yaml"
    path.write_text(
        text.replace("approval:\n", "approval:\n  standing: {roles: [owner], days: 30}\n"), encoding="utf-8"
    )
    return path


@pytest.fixture
async def office(settings_of: MakeSettings, policy: Path) -> AsyncIterator[Office]:
    workspace = Workspace()
    workspace.add_user("U0ANA", name="Ana", locale="en-US", tz="Europe/Madrid")
    workspace.add_user("U0CAR", name="Carla", locale="en-US", tz="America/New_York")
    workspace.add_conversation("C0SALES", "U0ANA")
    async with slack_talk(settings_of, workspace, slack_seconds_between_posts=0, policy_file=policy) as (people, bot):
        yield Office(people=people, product=bot.product)


async def test_a_schedule_from_the_button_of_an_answer_to_its_delivery(office: Office) -> None:
    people = office.people
    root = await people.mention(RATE)
    await people.press(await people.card_with(root, "approve"), "approve")
    answer = await people.card_with(root, "schedule")
    await is_filled_in(people, answer)
    made = await people.card_with_text(root, "every Monday at 9:00, Madrid time")
    assert "once, for 30 days, by Carla" in text_of(made)
    assert buttons_of(made, "schedule_approve") == []
    asked = await direct_card(people, "U0CAR", "schedule_approve")
    assert "Ana wants this answer again and again" in text_of(asked)
    assert "SELECT" in text_of(asked)
    await press_alone(people, asked, "schedule_approve", "U0CAR")
    await people.card_with_text(root, "Approved by Carla")
    await comes_when_it_is_due(office, root)
    await is_listed_alone_and_on_the_home_page(office)


async def is_filled_in(people: SlackPeople, answer: Json) -> None:
    await people.press(answer, "schedule")
    [view] = await eventually(lambda: people.workspace.views, "a dialog")
    assert [block["block_id"] for block in view["blocks"] if block["type"] == "input"] == ["often", "time", "condition"]
    await people.send_dialog(often="every Monday", time="at 9:00", condition="approval rate > 5 %")


async def comes_when_it_is_due(office: Office, root: str) -> None:
    people, store = office.people, office.product.stores.schedules
    [schedule] = await store.of(PrincipalId("ana"))
    assert schedule.condition is not None
    late = office.product.clock.now() - timedelta(days=30)
    assert await store.update(replace(schedule, due_at=late), "active")
    assert await office.product.firing.fire() == 1
    assert await office.product.firing.fire() == 0
    answer = await people.card_with_text(root, "scheduled every Monday at 9:00")
    assert "Carla" in text_of(answer), "who signed for it"
    assert len([card for card in people.cards(root) if "scheduled every Monday" in text_of(card)]) == 1


async def is_listed_alone_and_on_the_home_page(office: Office) -> None:
    people = office.people
    root = await people.mention("my schedules")
    await eventually(lambda: people.workspace.ephemerals or people.workspace.thread("C0SALES", root), "an answer")
    alone = await eventually(lambda: _with(people, "D0ANA", "My schedules"), "the list")
    assert "Approval rate" in text_of(alone)
    await people.deliveries.event(
        sample("app_home_opened", event__user="U0ANA", event__tab="home", event__channel="D0ANA", event_id="EvHome")
    )
    home = await eventually(lambda: people.workspace.homes.get("U0ANA"), "the home page")
    assert "My schedules" in text_of(home)
    button = next(b for b in buttons_of(alone, "command") if "schedule_delete" in b["value"])
    index = buttons_of(alone, "command").index(button)
    alone_with = SlackPeople(workspace=people.workspace, deliveries=people.deliveries, channel="D0ANA")
    await alone_with.press({**alone, "thread_ts": alone["ts"]}, "command", index=index)
    await eventually(lambda: _with(people, "D0ANA", "Deleted: "), "the end")
    assert await office.product.stores.schedules.of(PrincipalId("ana")) == ()


def _with(people: SlackPeople, channel: str, words: str) -> Json | None:
    held = people.workspace.conversations.get(channel)
    found = [m for m in held.messages if m.get("blocks") and words in text_of(m)] if held else []
    return found[-1] if found else None
