"""What goes wrong, one thing after the other, at moments that the seed decides."""

import asyncio
import random
from collections import Counter
from dataclasses import dataclass, field

from tests.chaos.deployment import WORKERS, Deployment, Stores
from tests.chaos.models import FickleModel
from tests.fakes.relay import Relay
from tests.fakes.slack.workspace import Trouble, Workspace
from tests.fakes.teams.connector import TeamsStandIn
from tests.fakes.teams.posted import Failure

SLACK_METHODS = ("chat.postMessage", "chat.postMessage", "chat.update", "files.completeUploadExternal")
SLACK_TROUBLES = (
    Trouble(retry_after=1),
    Trouble(retry_after=20),
    Trouble(status=500),
    Trouble(status=500, done=True),
    Trouble(status=503, done=True),
)
TEAMS_FAILURES = (
    Failure(status=429, retry_after=1),
    Failure(status=429, retry_after=15),
    Failure(status=500),
    Failure(status=502),
)


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
    happened: Counter[str] = field(default_factory=Counter)

    async def go_on(self, ended: asyncio.Event) -> None:
        """One mishap after the other."""
        kinds = [self.kill_worker, self.restart_postgres, self.restart_valkey, self.hang_warehouse,
                 self.cut_warehouse, self.trouble_slack, self.trouble_teams, self.kill_worker]  # fmt: skip
        self.chance.shuffle(kinds)
        while not ended.is_set():
            for kind in kinds:
                await self._pause(ended, self.chance.uniform(0.5, 1.5) * self.pause_seconds)
                if ended.is_set():
                    break
                self.happened[kind.__name__] += 1
                await kind()
        self.workspace.troubles.clear()
        self.teams.failures.clear()
        self.model.is_well = True

    async def kill_worker(self) -> None:
        """SIGKILL, of one that works: what is still booting has nothing to lose."""
        name = self.chance.choice(WORKERS)
        if self.deployment.is_up(name):
            await self.deployment.kill(name)

    async def restart_postgres(self) -> None:
        """The control database is away for a moment."""
        await self.stores.restart_postgres()

    async def restart_valkey(self) -> None:
        """The cache is away for a moment, and empty then."""
        await self.stores.restart_valkey()

    async def hang_warehouse(self) -> None:
        """Queries get no answer."""
        self.warehouse.freeze()
        await asyncio.sleep(self.chance.uniform(2, 6))
        self.warehouse.thaw()

    async def cut_warehouse(self) -> None:
        """Connections break, and nobody listens."""
        await self.warehouse.shut()
        await asyncio.sleep(self.chance.uniform(1, 3))
        await self.warehouse.open()

    async def trouble_slack(self) -> None:
        """429, 500, and 500 for what was done all the same."""
        for _ in range(self.chance.randint(1, 4)):
            self.workspace.trouble(self.chance.choice(SLACK_METHODS), self.chance.choice(SLACK_TROUBLES))

    async def trouble_teams(self) -> None:
        """429, 500 and 502."""
        self.teams.failures += [self.chance.choice(TEAMS_FAILURES) for _ in range(self.chance.randint(1, 4))]

    async def _pause(self, ended: asyncio.Event, seconds: float) -> None:
        try:
            await asyncio.wait_for(ended.wait(), seconds)
        except TimeoutError:
            return
