"""Commands about a thread: a fresh start, and stopping what runs or waits."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from agent.values.identity import Principal, ThreadKey
from agent.values.outcome import RunRecord
from agent.values.turn import Turn
from agent.wording.texts import say
from bot.chat_commands.saying import Said
from bot.ports import RunLists
from bot.run_desk import RunDesk
from bot.stopping import Stopping
from cards.build.commands import said_card
from semantic_catalog.model import Locale


@dataclass(frozen=True, slots=True, kw_only=True)
class Threads:
    """New and stop. `is_ours` says whether anything was ever asked in a thread."""

    desk: RunDesk
    lists: RunLists
    stopping: Stopping
    is_ours: Callable[[ThreadKey], Awaitable[bool]]

    async def start_anew(self, turn: Turn, locale: Locale) -> Said:
        """Forget what was asked in the thread, so that the next message stands alone."""
        store = self.desk.deps.memory
        memory = await store.load(turn.thread)
        while memory.runs and not await store.save(replace(memory, runs=())):
            memory = await store.load(turn.thread)
        return Said(card=said_card(say(locale, "command.new_done"), locale))

    async def stop(self, turn: Turn, person: Principal, locale: Locale) -> Said:
        """End the person's runs of this thread; in a thread of its own (a slash command's), all that they have open."""
        records = await self._meant(turn, person)
        stopped = [record for record in records if await self.stopping.withdraw(record, person)]
        key = "command.stop_done" if stopped else "command.stop_nothing"
        return Said(card=said_card(say(locale, key, count=len(stopped)), locale))

    async def _meant(self, turn: Turn, person: Principal) -> tuple[RunRecord, ...]:
        records = await self.lists.open_of(person.id)
        if not await self.is_ours(turn.thread):
            return records
        return tuple(record for record in records if record.thread == turn.thread)
