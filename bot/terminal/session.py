"""One process asking on behalf of roles: the shell, the demo and the evaluations speak through it."""

import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from rich.console import Console

from adapters.channels.console.channel import ConsoleChannel
from adapters.channels.console.inbound import Typed, action_to_turn, file_to_turn, line_to_turn
from adapters.channels.console.local_files import LocalFiles
from agent.policy.authority import may_approve
from agent.policy.resolve import approvers
from agent.scheduling.recurrence import next_time
from agent.values.file import FileRefused, ThreadFile
from agent.values.identity import ChannelName, PrincipalId
from agent.values.outcome import Proposal
from agent.values.result import LONG_ROWS, ResultRef, ResultTable
from agent.values.turn import CardAction, Turn
from bot.bootstrap import Product, product
from bot.driver import RunStop
from bot.files.scope import ScopedPolicy, ThreadScope, in_scope
from bot.schedules.firing import scheduled_turn
from bot.settings import Settings

MOST_DUE = 200
CONSOLE: tuple[ChannelName, ...] = ("console",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One turn and where it left its run (None: it moved none), with its wall time."""

    turn: Turn
    stop: RunStop | None
    milliseconds: float


class Session:
    """Turns of console people, handled in this process by the same runner as any channel's."""

    def __init__(self, built: Product, channel: ConsoleChannel) -> None:
        self.product = built
        self.channel = channel
        self._scope = ThreadScope()

    async def say(self, text: str, role: str, thread: str) -> Step:
        """A message of `role` in the console thread of that name."""
        return await self._handle(line_to_turn(text, self._typed(role, thread)))

    async def press(self, action: CardAction, role: str, thread: str) -> Step:
        """A pressed button."""
        return await self._handle(self.click(action, role, thread))

    def click(self, action: CardAction, role: str, thread: str) -> Turn:
        """The turn that a pressed button is."""
        return action_to_turn(action, self._typed(role, thread))

    def approver_of(self, proposal: Proposal, asker: str) -> str | None:
        """The asker where the policy lets them approve, else the first other role that may; None when nobody may."""
        with in_scope(self._scope):
            policy = ScopedPolicy(base=self.product.policy).current()
        domain, tier = proposal.query.domain, proposal.risk.tier
        principal = policy.principal(PrincipalId(asker))
        if principal is not None and may_approve(policy, principal, proposal.asked_by, domain, tier):
            return asker
        others = approvers(policy, domain, proposal.asked_by, tier)
        return others[0].id if others else None

    async def give(self, path: Path, role: str, thread: str, words: str = "") -> ThreadFile | FileRefused:
        """A file of this machine given in the thread by `role`, and confirmed at once as it was read; or why not.

        It is spoken about in the language of `words`. Raises `PrincipalGone` for a role that the policy does not know.
        """
        turn = file_to_turn(path, self._typed(role, thread))
        principal = self.product.files.desk.deps.principal(role)
        language = await self.product.files.language_of(replace(turn, text=words), principal)
        turn = replace(turn, locale=language)
        (given,) = await self.product.files.receive(turn, principal)
        if isinstance(given, ThreadFile):
            await self.press(CardAction(verb="file_confirm", value=given.id), role, thread)
        return given

    async def run_due(self) -> tuple[Step, ...]:
        """Run what is due of the schedules that were made in terminals, each time once; a step for each."""
        product, now = self.product, self.product.clock.now()
        steps: list[Step] = []
        for schedule in await product.stores.schedules.due(now, CONSOLE, MOST_DUE):
            steps.append(await self._handle(scheduled_turn(schedule, now)))
            await product.stores.schedules.advance(schedule, next_time(schedule.recurrence, now))
        return tuple(steps)

    async def rows(self, ref: ResultRef) -> ResultTable:
        """The stored rows of a result, of a long one the first `LONG_ROWS`."""
        return await self.product.stores.results.read(ref, LONG_ROWS)

    async def _handle(self, turn: Turn) -> Step:
        started = perf_counter()
        stop = await self.product.runner.handle(turn)
        spent = perf_counter() - started
        self._scope = await self.product.files.scope(turn.thread, PrincipalId(turn.author.user_id))
        return Step(turn=turn, stop=stop, milliseconds=spent * 1000)

    def _typed(self, role: str, thread: str) -> Typed:
        return Typed(user=role, thread=thread, event_id=f"console:{uuid.uuid4()}", at=self.product.clock.now())


@asynccontextmanager
async def session(settings: Settings, console: Console, out: Path | None = None) -> AsyncIterator[Session]:
    """A session over the configured stores, drawing cards on `console` and writing files under `out`."""
    channel = ConsoleChannel(console, out or settings.analyst.out_dir)
    async with product(settings, lambda _: {"console": channel}, {"console": LocalFiles()}) as built:
        yield Session(built, channel)


def new_thread() -> str:
    """The name of a console thread nobody has used."""
    return uuid.uuid4().hex[:8]
