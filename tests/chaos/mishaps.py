"""What goes wrong, one thing after the other, at moments that the seed decides."""

import asyncio
import random
import signal
from collections import Counter
from collections.abc import Awaitable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import cycle

from tests.chaos.deployment import SERVES, WORKERS, Deployment, Stores
from tests.chaos.models import FickleModel
from tests.fakes.relay import Relay
from tests.fakes.slack.workspace import Trouble, Workspace
from tests.fakes.teams.connector import TeamsStandIn
from tests.fakes.teams.posted import Failure

SLACK_METHODS = ("chat.postMessage", "chat.postMessage", "chat.update", "files.completeUploadExternal")
SLACK_TROUBLES = (
    Trouble(status=500),
    Trouble(status=500, done=True),
    Trouble(retry_after=1),
    Trouble(status=503, done=True),
    Trouble(retry_after=20),
)
TEAMS_FAILURES = (
    Failure(status=500),
    Failure(status=500, done=True),
    Failure(status=429, retry_after=1),
    Failure(status=502),
    Failure(status=429, retry_after=15),
)
EXPECTED = frozenset({
    "worker killed", "serve killed", "postgres restarted", "postgres crashed", "valkey restarted",
    "warehouse hung", "warehouse cut off", "model hung", "model failed", "model answered",
    "slack 429", "slack 500", "slack 500, done", "teams 429", "teams 500", "teams 500, done",
    "delivery repeated", "delivery overtaken", "click doubled", "click by stranger",
})  # fmt: skip
"""Each must have happened for a seed to prove anything; what the platforms and the model did counts once done."""

ROUND = ("kill_worker", "restart_postgres", "hang_warehouse", "trouble_slack", "kill_serve", "kill_worker",
         "restart_valkey", "cut_warehouse", "trouble_teams", "crash_postgres", "kill_worker", "trouble_slack",
         "trouble_teams")  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Spell:
    """When something was wrong. Both are aware."""

    kind: str
    began: datetime
    ended: datetime


@dataclass(kw_only=True)
class Mishaps:
    """Makes trouble until it is told to end; then everything is well again."""

    chance: random.Random
    deployment: Deployment
    stores: Stores
    warehouse: Relay
    workspace: Workspace
    teams: TeamsStandIn
    model: FickleModel
    pause_seconds: float
    spells: list[Spell] = field(default_factory=list)
    _of_slack: Iterator[Trouble] = field(default_factory=lambda: cycle(SLACK_TROUBLES))
    _of_teams: Iterator[Failure] = field(default_factory=lambda: cycle(TEAMS_FAILURES))

    async def go_on(self, ended: asyncio.Event) -> None:
        """One mishap after the other, each kind in every round."""
        kinds = list(ROUND)
        while not ended.is_set():
            self.chance.shuffle(kinds)
            for kind in kinds:
                await self._pause(ended, self.chance.uniform(0.5, 1.5) * self.pause_seconds)
                if ended.is_set():
                    break
                await self._happen(kind)
        self.workspace.troubles.clear()
        self.teams.failures.clear()
        self.model.is_well = True

    @property
    def happened(self) -> Counter[str]:
        """How often each of them happened."""
        counted = Counter(spell.kind for spell in self.spells)
        counted.update(_named_slack(trouble) for trouble in self.workspace.troubled)
        counted.update(_named_teams(failure) for failure in self.teams.failed)
        counted.update(self.model.happened)
        return counted

    async def _happen(self, kind: str) -> None:
        match kind:
            case "kill_worker" | "kill_serve":
                await self._kill(self.chance.choice(WORKERS if kind == "kill_worker" else SERVES))
            case "restart_postgres":
                await self._during("postgres restarted", self.stores.restart_postgres(signal.SIGINT))
            case "crash_postgres":
                await self._during("postgres crashed", self.stores.restart_postgres(signal.SIGQUIT))
            case "restart_valkey":
                await self._during("valkey restarted", self.stores.restart_valkey())
            case "hang_warehouse":
                await self._during("warehouse hung", self._hang_warehouse())
            case "cut_warehouse":
                await self._during("warehouse cut off", self._cut_warehouse())
            case "trouble_slack":
                for _ in range(self.chance.randint(2, 4)):
                    self.workspace.trouble(self.chance.choice(SLACK_METHODS), next(self._of_slack))
            case "trouble_teams":
                self.teams.failures += [next(self._of_teams) for _ in range(self.chance.randint(2, 4))]

    async def _kill(self, name: str) -> None:
        """SIGKILL, of one that works: what is still booting has nothing to lose."""
        if self.deployment.is_up(name):
            await self._during(f"{name.partition('-')[0]} killed", self.deployment.kill(name))

    async def _hang_warehouse(self) -> None:
        """Queries get no answer."""
        self.warehouse.freeze()
        await asyncio.sleep(self.chance.uniform(2, 6))
        self.warehouse.thaw()

    async def _cut_warehouse(self) -> None:
        """Connections break, and nobody listens."""
        await self.warehouse.shut()
        await asyncio.sleep(self.chance.uniform(1, 3))
        await self.warehouse.open()

    async def _during(self, kind: str, mishap: Awaitable[None]) -> None:
        began = datetime.now(UTC)
        await mishap
        self.spells.append(Spell(kind=kind, began=began, ended=datetime.now(UTC)))

    async def _pause(self, ended: asyncio.Event, seconds: float) -> None:
        try:
            await asyncio.wait_for(ended.wait(), seconds)
        except TimeoutError:
            return


def _named_slack(trouble: Trouble) -> str:
    return "slack 429" if trouble.retry_after is not None else f"slack 500{', done' if trouble.done else ''}"


def _named_teams(failure: Failure) -> str:
    return "teams 429" if failure.status == 429 else f"teams 500{', done' if failure.done else ''}"
