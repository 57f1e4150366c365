"""The chat commands, put together from the parts of one process."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from adapters.control.postgres.threads import PostgresThreads
from agent.values.views import ModelChecked
from bot.agents_file import read_agents
from bot.asking import Asking
from bot.chat_commands.administration import Administration
from bot.chat_commands.budgets import BudgetReader, BudgetUse
from bot.chat_commands.desk import Commands
from bot.chat_commands.remembering import Remembering
from bot.chat_commands.saying import Saying
from bot.chat_commands.threads import Threads
from bot.commands.models import checked
from bot.deciding import Deciding
from bot.home import HomeReader
from bot.people import People
from bot.personal import PersonalMemories
from bot.ports import CancelRequests, PersonalData, PersonalStore, RunLists
from bot.run_desk import RunDesk
from bot.schedules.desk import Schedules
from bot.settings import ModelSettings, Settings
from bot.stopping import Stopping
from bot.switchboard import Switchboard


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandParts:
    """What the commands are made of. `faults` names what of catalog, policy and models could not be read again."""

    settings: Settings
    lists: RunLists
    personal: PersonalStore
    people_data: PersonalData
    threads: PostgresThreads
    spent: BudgetUse
    desk: RunDesk
    asking: Asking
    deciding: Deciding
    people: People
    cancels: CancelRequests
    switchboard: Switchboard
    faults: Callable[[], Collection[str]]
    schedules: Schedules


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatCommands:
    """The commands, and what else uses their parts."""

    desk: Commands
    reader: HomeReader
    personal: PersonalMemories
    stopping: Stopping


def chat_commands(parts: CommandParts) -> ChatCommands:
    """The commands of one process."""
    desk = parts.desk
    personal = PersonalMemories(store=parts.personal, catalog=desk.deps.catalog, clock=desk.deps.clock)
    reader = HomeReader(deps=desk.deps, lists=parts.lists, personal=personal, schedules=parts.schedules.listed)
    stopping = Stopping(desk=desk, deciding=parts.deciding, cancels=parts.cancels)
    commands = Commands(
        saying=Saying(desk=desk, people=parts.people, personal=personal),
        asking=parts.asking,
        reader=reader,
        threads=Threads(desk=desk, lists=parts.lists, stopping=stopping, is_ours=parts.threads.follows),
        remembering=Remembering(
            desk=desk,
            reader=reader,
            lists=parts.lists,
            people_data=parts.people_data,
            stopping=stopping,
            memory_days=parts.settings.retention.memory_days,
        ),
        administration=_administration(parts, reader),
        schedules=parts.schedules,
    )
    return ChatCommands(desk=commands, reader=reader, personal=personal, stopping=stopping)


def _administration(parts: CommandParts, reader: HomeReader) -> Administration:
    analyst, rates = parts.settings.analyst, parts.settings.budgets
    limits = (
        ("budget_messages", analyst.turns_per_minute),
        ("budget_messages_thread", rates.thread_turns_per_minute),
        ("budget_messages_tenant", rates.tenant_turns_per_minute),
        ("budget_rows", analyst.max_result_rows),
        ("budget_seconds", analyst.sql_timeout_seconds),
    )
    return Administration(
        desk=parts.desk,
        reader=reader,
        lists=parts.lists,
        deciding=parts.deciding,
        switchboard=parts.switchboard,
        faults=parts.faults,
        check_models=lambda: _models(parts.settings.models),
        budgets=BudgetReader(deps=parts.desk.deps, lists=parts.lists, use=parts.spent, limits=limits),
    )


async def _models(settings: ModelSettings) -> tuple[ModelChecked, ...]:
    found = await checked(read_agents(settings))
    return tuple(
        ModelChecked(agent=each.profile.agent, model=each.profile.model, seconds=each.seconds, fault=each.fault)
        for each in found
    )
