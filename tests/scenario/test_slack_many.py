import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from tests.fakes.slack.workspace import Json, Workspace
from tests.scenario.conftest import POLICY, MakeSettings
from tests.scenario.slack import SlackPeople, buttons_of, slack_talk
from tests.scenario.waiting import eventually

THREADS = 20
IN_FLIGHT = 40
DELIVERED_AGAIN = 3
QUESTIONS = {
    "approval rate last month": "Approval rate",
    "processed amount last month": "Processed amount",
    "chargeback rate last month": "Chargeback rate",
    "average ticket last month": "Average ticket",
    "declined transactions last month": "Declined transactions",
}


@pytest.fixture
def unattended(tmp_path: Path) -> Path:
    text = POLICY.read_text(encoding="utf-8")
    path = tmp_path / "unattended.yaml"
    tiers = "  tiers: {routine: auto, compiled: auto, trusted: auto}"
    path.write_text(text.replace("\napproval:\n", f"\napproval:\n{tiers}\n"), encoding="utf-8")
    return path


@pytest.fixture
async def people(settings_of: MakeSettings, unattended: Path) -> AsyncIterator[SlackPeople]:
    workspace = Workspace(shared_after_calls=0)
    workspace.add_user("U0ANA", name="Ana", locale="en-US")
    workspace.add_conversation("C0SALES", "U0ANA")
    async with slack_talk(
        settings_of, workspace, slack_seconds_between_posts=0, policy_file=unattended, turns_per_minute=20 * THREADS
    ) as (present, _):
        yield present


async def test_a_hundred_questions_in_twenty_threads_get_a_hundred_answers_each_once(people: SlackPeople) -> None:
    roots = [str(people.workspace.say("C0SALES", {"user": "U0ANA", "text": "numbers"})["ts"]) for _ in range(THREADS)]
    said = [(root, ask_in(people, root, question)) for root in roots for question in QUESTIONS]
    deliveries = [(root, message, retry) for root, message in said for retry in (0, 1, 2)]
    random.Random(7).shuffle(deliveries)  # noqa: S311  # the order of a test, the same in every run
    line = asyncio.Semaphore(IN_FLIGHT)
    await asyncio.gather(*(deliver(people, line, *delivery) for delivery in deliveries))
    for root in roots:
        found = await eventually(partial(all_answers, people, root), f"all answers in {root}")
        assert len(found) == len(QUESTIONS)
        said_first = Counter(
            label for answer in found for label in QUESTIONS.values() if answer["text"].startswith(label)
        )
        assert said_first == Counter(QUESTIONS.values())
    await eventually(lambda: workbooks(people) >= len(said), "all workbooks")
    assert [len(answers(people, root)) for root in roots] == [len(QUESTIONS)] * THREADS
    assert workbooks(people) == len(said)


def all_answers(people: SlackPeople, root: str) -> list[Json] | None:
    found = answers(people, root)
    return found if len(found) >= len(QUESTIONS) else None


def ask_in(people: SlackPeople, root: str, question: str) -> Json:
    return people.workspace.say("C0SALES", {"user": "U0ANA", "text": f"<@U0BOT> {question}", "thread_ts": root})


async def deliver(people: SlackPeople, line: asyncio.Semaphore, root: str, message: Json, retry: int) -> None:
    async with line:
        for _ in range(DELIVERED_AGAIN):
            answer = await people.deliver(message, user="U0ANA", thread=root, retry=retry)
            if answer.status != 503:
                break
    assert answer.status == 200


def answers(people: SlackPeople, root: str) -> list[Json]:
    return [card for card in people.cards(root) if buttons_of(card, "show_sql")]


def workbooks(people: SlackPeople) -> int:
    return sum(1 for file in people.workspace.files.values() if file.name.endswith(".xlsx") and file.message_ts)
