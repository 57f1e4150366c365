"""A real `serve` and `worker` processes on the stage, Slack's stand-in beside them, and people who ask and approve."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count
from pathlib import Path

from aiohttp import ClientSession, TCPConnector
from psycopg import AsyncConnection

from tests.bench.processes import COUNTERSIGN, PYTHON, Process, child, free_port, until_it_answers, until_it_says
from tests.bench.slack_side import FAULTS_PATH, PEOPLE, PROPOSALS_PATH, channel_of, person_of, root_of
from tests.bench.stage import TODAY, UNLIMITED, Stage
from tests.fakes.slack.deliveries import Deliveries, mention_event, press_of
from tests.fakes.slack.workspace import BOT_TOKEN, TEAM, Json
from tests.scenario.slack import SECRET, buttons_of

OK = 200
AGAIN = 503
"""What could not be stored in time: Slack delivers it again."""

AGAIN_AFTER_SECONDS = 0.5
METRICS = ("processed amount", "approval rate", "average ticket", "declined transactions")
SPLITS = ("channel", "region", "brand")
DAYS = 90
LOOK_EVERY_SECONDS = 0.05
_LEFT = "SELECT count(*) FROM procrastinate_jobs WHERE queue_name = 'turns'"
_STATUSES = "SELECT status, count(*) FROM countersign.runs GROUP BY status"


@dataclass(slots=True, kw_only=True)
class Deployment:
    """What runs, and what people do with it. No two of their questions are about the same day, metric and split."""

    stage: Stage
    folder: Path
    settings: dict[str, str]
    serve: Process
    url: str
    slack_url: str
    http: ClientSession
    control: AsyncConnection
    running: AsyncExitStack
    workers: list[Process] = field(default_factory=list)
    questions: Iterator[int] = field(default_factory=count)
    clicks: Iterator[int] = field(default_factory=count)

    async def add_worker(self) -> Process:
        """One more `worker`, ready for turns."""
        name = f"worker-{len(self.workers) + 1}"
        process = await self.running.enter_async_context(
            child(self.folder, name, (*COUNTERSIGN, "worker"), self.settings)
        )
        await until_it_says(process, self.folder / f"{name}.log", b"worker_started")
        self.workers.append(process)
        return process

    async def ask(self, url: str = "") -> bool:
        """The next person asks the next question, at `serve` or at another address; whether it was taken in time."""
        return await self._mentioned(next(self.questions), url) == OK

    async def insist(self) -> None:
        """The same, delivered again until it is taken, as Slack does."""
        number = next(self.questions)
        await _until_taken(lambda: self._mentioned(number))

    async def _mentioned(self, number: int, url: str = "") -> int:
        said = {"text": f"<@U0BOT> {question(number)}", "ts": root_of(number)}
        mention = mention_event(said, channel=channel_of(number), user=person_of(number), event_id=f"EvB{number}")
        answer = await self._deliveries(url).event(mention)
        assert answer.status in (OK, AGAIN), answer.status
        return answer.status

    async def proposals(self) -> list[tuple[str, Json]]:
        """Every open proposal with its channel."""
        async with self.http.get(f"{self.slack_url}{PROPOSALS_PATH}") as answer:
            return [(channel, message) for channel, message in await answer.json()]

    async def approve(self, proposal: tuple[str, Json]) -> None:
        """Its asker approves it."""
        channel, message = proposal
        user = person_of(int(channel[-5:]))
        number = next(self.clicks)
        pressed = press_of(
            buttons_of(message, "approve")[0], message,
            channel=channel, user=user, trigger=f"trigger.{number}", at=f"1793546000.{number:06d}",
        )  # fmt: skip
        await _until_taken(lambda: self._pressed(pressed))

    async def _pressed(self, payload: Json) -> int:
        return (await self._deliveries().interaction(payload)).status

    async def until_idle(self) -> None:
        """The inbox is empty."""
        while await self.left():  # noqa: ASYNC110  # told by no event: read in the database
            await asyncio.sleep(LOOK_EVERY_SECONDS)

    async def left(self) -> int:
        """How many turns wait or run."""
        row = await (await self.control.execute(_LEFT)).fetchone()
        assert row is not None
        return int(row[0])

    async def forget_what_waits(self) -> None:
        """Drop the turns that no worker has begun."""
        await self.control.execute("DELETE FROM procrastinate_jobs WHERE queue_name = 'turns' AND status = 'todo'")

    async def statuses(self) -> dict[str, int]:
        """How many runs stand how."""
        return {str(status): int(held) for status, held in await (await self.control.execute(_STATUSES)).fetchall()}

    def _deliveries(self, url: str = "") -> Deliveries:
        return Deliveries(session=self.http, url=url or self.url, secret=SECRET)


@asynccontextmanager
async def deployment(stage: Stage, name: str) -> AsyncIterator[Deployment]:
    """`serve`, without a worker yet. In the end Slack had nothing to refuse."""
    folder = await asyncio.to_thread(_folder, stage.out / name)
    async with AsyncExitStack() as running:
        slack_url = await _listening(running, folder, "slack", "tests.bench.slack_side")
        settings = _settings(stage, folder, slack_url)
        port = free_port()
        process = await running.enter_async_context(
            child(folder, "serve", (*COUNTERSIGN, "serve"), {**settings, "PORT": str(port)})
        )
        url = f"http://127.0.0.1:{port}"
        await until_it_answers(process, f"{url}/health/live")
        http = await running.enter_async_context(ClientSession(connector=TCPConnector(limit=0)))
        control = await running.enter_async_context(await AsyncConnection.connect(stage.control, autocommit=True))
        yield Deployment(
            stage=stage, folder=folder, settings=settings, serve=process, url=url, slack_url=slack_url, http=http,
            control=control, running=running,
        )  # fmt: skip
        async with http.get(f"{slack_url}{FAULTS_PATH}") as answer:
            faults = await answer.json()
        assert faults == [], faults[:5]


async def bare_handler(running: AsyncExitStack, folder: Path) -> str:
    """The floor of an acknowledgement in a process of its own; its address."""
    return await _listening(running, folder, "bare", "tests.bench.bare_handler")


async def _until_taken(deliver: Callable[[], Awaitable[int]]) -> None:
    while (status := await deliver()) == AGAIN:  # noqa: ASYNC110  # told by no event: delivered again
        await asyncio.sleep(AGAIN_AFTER_SECONDS)
    assert status == OK, status


def question(number: int) -> str:
    """A question that no other number below 1,080 asks."""
    metric, split = METRICS[number % len(METRICS)], SPLITS[number // len(METRICS) % len(SPLITS)]
    day = TODAY - timedelta(days=1 + number // (len(METRICS) * len(SPLITS)) % DAYS)
    return f"{metric} by {split} on {day.day} {day:%B %Y}"


def _folder(path: Path) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    return path.resolve()


async def _listening(running: AsyncExitStack, folder: Path, name: str, module: str) -> str:
    port = free_port()
    process = await running.enter_async_context(child(folder, name, (*PYTHON, module, str(port))))
    url = f"http://127.0.0.1:{port}"
    await until_it_answers(process, url)
    return url


def _settings(stage: Stage, folder: Path, slack_url: str) -> dict[str, str]:
    """As an operator would set them; every person of the bench is an analyst."""
    policy = folder / "policy.yaml"
    policy.write_text(json.dumps(_policy()), encoding="utf-8")
    return {
        "CONTROL_DATABASE_URL": stage.control,
        "REDIS_URL": stage.cache,
        "WAREHOUSE_URLS": json.dumps({"payments": stage.payments}),
        "POLICY_FILE": str(policy),
        "TENANT_TURNS_PER_MINUTE": str(UNLIMITED),
        "TENANT_QUERIES_PER_DAY": "0",
        "FIXED_TODAY": TODAY.isoformat(),
        "SLACK_BOT_TOKEN": BOT_TOKEN,
        "SLACK_SIGNING_SECRET": SECRET,
        "SLACK_API_URL": f"{slack_url}/api/",
    }


def _policy() -> Json:
    people = [
        {
            "id": f"p{number}",
            "name": f"Person {number}",
            "roles": ["analyst"],
            "slack": [{"team": TEAM, "user": person_of(number)}],
        }
        for number in range(PEOPLE)
    ]
    return {
        "version": 1,
        "name": "bench",
        "roles": {"analyst": {"domains": ["payments"], "may_approve": "any"}},
        "people": people,
        "approval": {"expires_after_hours": 24},
    }
