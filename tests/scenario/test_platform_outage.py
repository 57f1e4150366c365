from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest

from bot.settings import Settings
from tests.fakes.slack.server import slack_server
from tests.fakes.slack.workspace import BOT_TOKEN, Trouble, Workspace
from tests.scenario.conftest import POLICY, MakeSettings, RunningBot, running_bot
from tests.scenario.slack import SECRET, SlackPeople, buttons_of, people_of, text_of
from tests.scenario.waiting import eventually

QUESTIONS = ("approval rate last month", "processed amount last month")
AWAY = Trouble(status=503)
_TIERS = "  tiers: {routine: auto, compiled: auto, trusted: auto}"


@pytest.fixture
def unattended(tmp_path: Path) -> Path:
    text = POLICY.read_text(encoding="utf-8")
    path = tmp_path / "unattended.yaml"
    text = text.replace("may_approve: any}", "may_approve: any, admin: true}")
    path.write_text(text.replace("\napproval:\n", f"\napproval:\n{_TIERS}\n"), encoding="utf-8")
    return path


@pytest.fixture
def workspace() -> Workspace:
    workspace = Workspace(shared_after_calls=0)
    workspace.add_user("U0ANA", name="Ana", locale="en-US")
    workspace.add_conversation("C0SALES", "U0ANA")
    return workspace


@pytest.fixture
async def bot(settings_of: MakeSettings, unattended: Path, workspace: Workspace) -> AsyncIterator[RunningBot]:
    async with slack_server(workspace) as server:
        settings: Settings = settings_of(
            slack_bot_token=BOT_TOKEN,
            slack_signing_secret=SECRET,
            slack_api_url=server.api,
            slack_seconds_between_posts=0,
            policy_file=unattended,
        )
        async with running_bot(settings) as running:
            yield running


@pytest.fixture
async def people(bot: RunningBot, workspace: Workspace) -> AsyncIterator[SlackPeople]:
    async with people_of(bot.url, workspace) as present:
        yield present


async def test_answers_wait_for_a_platform_that_is_away_and_come_once_in_their_order(
    people: SlackPeople, bot: RunningBot, workspace: Workspace, fresh_database: str
) -> None:
    workspace.trouble("chat.postMessage", *[AWAY] * 200)
    root = await people.mention(QUESTIONS[0])
    await eventually(lambda: _waiting(fresh_database) == ["answered"], "an answer that waits")
    await people.mention(QUESTIONS[1], thread=root)
    await eventually(lambda: _waiting(fresh_database) == ["answered"] * 2, "two answers that wait")
    await eventually(lambda: _jobs(fresh_database) == 0, "a worker with nothing to do")
    workspace.troubles.clear()
    _hurry(fresh_database)
    await bot.product.postman.round("slack")
    await people.files(root, 2)
    said = [card["text"] for card in people.cards(root) if buttons_of(card, "show_sql")]
    assert [text.partition(" was")[0] for text in said] == ["Approval rate", "Processed amount"]
    await eventually(lambda: not _waiting(fresh_database), "an empty queue")
    assert len([card for card in people.cards(root) if buttons_of(card, "show_sql")]) == 2
    assert await bot.product.postman.desk.letters.dead(10) == ()


async def test_an_answer_that_no_platform_took_in_a_day_is_given_up_seen_and_in_nobodys_way(
    people: SlackPeople, bot: RunningBot, workspace: Workspace, fresh_database: str
) -> None:
    workspace.trouble("chat.postMessage", Trouble(status=429, error="ratelimited", retry_after=1800), *[AWAY] * 200)
    root = await people.mention(QUESTIONS[0])
    await eventually(lambda: _waiting(fresh_database) == ["answered"], "an answer that waits")
    ((pause, fault),) = _rows(fresh_database, "SELECT due_at - now(), fault FROM countersign.letters")
    assert timedelta(minutes=29) < pause <= timedelta(minutes=30)
    assert fault == "chat.postMessage: ratelimited"
    await people.mention(QUESTIONS[1], thread=root)
    await eventually(lambda: len(_waiting(fresh_database)) == 2, "two answers that wait")
    _do(fresh_database, "UPDATE countersign.letters SET due_at = now(), queued_at = now() - interval '25 hours'"
                        " WHERE id = (SELECT min(id) FROM countersign.letters)")  # fmt: skip
    await eventually(lambda: _dead(fresh_database), "an answer that was given up")
    workspace.troubles.clear()
    _hurry(fresh_database)
    answer = await people.card_with(root, "show_sql")
    assert answer["text"].startswith("Processed amount")
    assert _dead(fresh_database) == ["chat.postMessage: 503"]
    await people.mention("admin undelivered")
    told = await eventually(lambda: _told_alone(workspace, "Undelivered"), "what was not delivered")
    assert "chat.postMessage: 503" in told
    assert "Ana" in told


async def test_an_answer_that_the_platform_refuses_with_the_failure_in_its_place_is_given_up_with_its_reason(
    people: SlackPeople, workspace: Workspace, fresh_database: str
) -> None:
    workspace.trouble("chat.postMessage", AWAY, *[AWAY] * 3)
    await people.mention(QUESTIONS[0])
    await eventually(lambda: _waiting(fresh_database) == ["answered"], "an answer that waits")
    workspace.troubles.clear()
    refused = Trouble(error="restricted_action")
    workspace.trouble("chat.postMessage", *[refused] * 20)
    _hurry(fresh_database)
    await eventually(lambda: _dead(fresh_database), "an answer that was given up")
    assert _dead(fresh_database) == ["chat.postMessage: restricted_action"]
    assert _waiting(fresh_database) == ["answered"]


def _dead(database: str) -> list[str]:
    return [str(row[0]) for row in _rows(database, "SELECT fault FROM countersign.letters WHERE is_dead")]


def _told_alone(workspace: Workspace, words: str) -> str | None:
    said = [text_of(message) for message in workspace.direct("U0ANA").messages if message.get("blocks")]
    return next((text for text in said if words in text), None)


def _waiting(database: str) -> list[str]:
    query = """
        SELECT runs.status FROM countersign.letters JOIN countersign.runs USING (run) ORDER BY letters.id
    """
    return [str(row[0]) for row in _rows(database, query)]


def _hurry(database: str) -> None:
    """An hour of growing pauses passes."""
    _do(database, "UPDATE countersign.letters SET due_at = now()")


def _do(database: str, statement: str) -> None:
    with psycopg.connect(database) as connection:
        connection.execute(statement.encode())


def _jobs(database: str) -> int:
    return len(_rows(database, "SELECT id FROM procrastinate_jobs WHERE queue_name = 'turns'"))


def _rows(database: str, query: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(database) as connection:
        return connection.execute(query.encode()).fetchall()
