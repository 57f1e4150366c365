from collections.abc import AsyncIterator
from pathlib import Path

import psycopg
import pytest

from tests.fakes.slack.workspace import Workspace
from tests.scenario.conftest import POLICY, MakeSettings, RunningBot
from tests.scenario.slack import SlackPeople, buttons_of, slack_talk, text_of
from tests.scenario.waiting import eventually

QUESTIONS = ("Approval rate by channel last 7 days", "Fees by channel last month")
THIRD = "Top 3 merchants by processed amount last month"


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    """The scenario's policy, with two queries a day for analysts."""
    text = POLICY.read_text(encoding="utf-8")
    path = tmp_path / "two_a_day.yaml"
    limited = "analyst: {domains: [payments], may_approve: any, budgets: {queries_per_day: 2}}"
    path.write_text(text.replace("analyst: {domains: [payments], may_approve: any}", limited), encoding="utf-8")
    return path


@pytest.fixture
async def talk(settings_of: MakeSettings, policy: Path) -> AsyncIterator[tuple[SlackPeople, RunningBot]]:
    workspace = Workspace()
    workspace.add_user("U0ANA", name="Ana", locale="en-US")
    workspace.add_conversation("C0SALES", "U0ANA")
    async with slack_talk(settings_of, workspace, policy_file=policy) as present:
        yield present


async def the_next_day(bot: RunningBot) -> None:
    """What was used becomes yesterday's."""
    with psycopg.connect(bot.product.addresses.control, autocommit=True) as connection:
        connection.execute("UPDATE countersign.budget_days SET day = day - 1")
    await bot.product.stores.cache.flushdb()


async def events(bot: RunningBot) -> list[tuple[str, object]]:
    return [(entry.event, entry.facts.get("rule")) async for entry in bot.product.stores.audit.entries()]


async def test_the_third_query_of_a_day_is_refused_its_card_stays_and_the_next_day_it_runs(
    talk: tuple[SlackPeople, RunningBot],
) -> None:
    people, bot = talk
    for question in QUESTIONS:
        root = await people.mention(question)
        await people.press(await people.card_with(root, "approve"), "approve")
        assert len(await people.files(root, 2)) == 2
    root = await people.mention(THIRD)
    card = await people.card_with(root, "approve")
    assert "queries for today are used up (2 of 2)" in text_of(card)
    await people.press(card, "approve")
    [notice] = await eventually(lambda: people.workspace.ephemerals, "a private notice")
    assert "used up (2 of 2). This can be approved from" in str(notice)
    assert ("refused", "budget_person_queries") in await events(bot)
    assert buttons_of(await people.card_with(root, "approve"), "approve")
    assert [name for name, _ in await events(bot)].count("ran") == 2
    await the_next_day(bot)
    await people.press(await people.card_with(root, "approve"), "approve")
    assert len(await people.files(root, 2)) == 2
    assert [name for name, _ in await events(bot)].count("ran") == 3
    assert await bot.product.stores.audit.verify() is None
