"""One command, from what it says to its answer."""

from dataclasses import dataclass

from agent.values.identity import Principal
from agent.values.turn import Turn
from agent.wording.texts import say
from bot.asking import Asking
from bot.chat_commands.administration import Administration
from bot.chat_commands.remembering import Remembering
from bot.chat_commands.saying import Said, Saying
from bot.chat_commands.threads import Threads
from bot.chat_commands.words import Command
from bot.driver import RunStop
from bot.home import HomeReader
from bot.schedules.desk import Schedules
from cards.build.commands import said_card
from cards.build.home import help_card, history_card, home_card, waiting_card
from semantic_catalog.model import Locale


@dataclass(frozen=True, slots=True, kw_only=True)
class Commands:
    """Does what people tell the product to do, in any channel."""

    saying: Saying
    asking: Asking
    reader: HomeReader
    threads: Threads
    remembering: Remembering
    administration: Administration
    schedules: Schedules

    async def handle(self, command: Command, turn: Turn, person: Principal) -> RunStop | None:
        """Do it and answer. Only 'repeat' opens a run."""
        locale = await self.saying.locale(turn, person, command.locale)
        if command.name == "repeat":
            return await self._repeat(command, turn, person, locale)
        return await self.saying.answer(turn, await self._done(command, turn, person, locale))

    async def _done(self, command: Command, turn: Turn, person: Principal, locale: Locale) -> Said:
        match command.name:
            case "new":
                return await self.threads.start_anew(turn, locale)
            case "stop":
                return await self.threads.stop(turn, person, locale)
            case "help" | "home" | "history" | "waiting":
                return await self._shown(command, person, locale)
            case "schedules":
                return Said(card=await self.schedules.list_card(person, locale), private=True)
            case "schedule_pause" | "schedule_resume" | "schedule_delete":
                card = await self.schedules.order(command.name, command.argument, person, locale)
                return Said(card=card, private=True)
            case "memory" | "remember" | "remember_this" | "forget" | "forget_all" | "forget_me" | "forget_me_yes":
                return await self._remembering(command, turn, person, locale)
            case _:
                return await self.administration.handle(command, turn, person, locale)

    async def _shown(self, command: Command, person: Principal, locale: Locale) -> Said:
        reader = self.reader
        match command.name:
            case "history":
                return Said(card=history_card(await reader.recent(person), reader.timezone, locale), private=True)
            case "waiting":
                waiting = await reader.waiting(person, locale)
                return Said(card=waiting_card(waiting, reader.timezone, locale), private=True)
            case "home":
                home = await reader.home(person, locale)
                return Said(card=home_card(home, locale, self.remembering.memory_days), private=True)
            case _:
                return Said(card=help_card(await reader.home(person, locale), locale))

    async def _remembering(self, command: Command, turn: Turn, person: Principal, locale: Locale) -> Said:
        memory = self.remembering
        match command.name:
            case "remember":
                return await memory.remember(turn, person, command.argument, locale)
            case "remember_this":
                return await memory.remember_this(turn, person, command.argument, locale)
            case "forget":
                return await memory.forget(turn, person, command.argument, locale)
            case "forget_all":
                return await memory.forget_all(turn, person, locale)
            case "forget_me":
                return memory.ask_to_forget_me(locale)
            case "forget_me_yes":
                return await memory.forget_me(turn, person, locale)
            case _:
                return await memory.show(person, locale)

    async def _repeat(self, command: Command, turn: Turn, person: Principal, locale: Locale) -> RunStop | None:
        recent = await self.reader.recent(person)
        number = int(command.argument)
        if not 1 <= number <= len(recent):
            card = said_card(say(locale, "command.repeat_unknown"), locale)
            return await self.saying.answer(turn, Said(card=card))
        return await self.asking.ask(turn, person, recent[number - 1].question)
