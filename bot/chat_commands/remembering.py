"""Commands about what is remembered of a person."""

from dataclasses import dataclass

from agent.reading import today_of
from agent.understanding.taught import read_taught
from agent.values.identity import Principal
from agent.values.turn import Turn
from agent.values.views import Known
from agent.wording.texts import say
from bot.chat_commands.saying import Said
from bot.home import HomeReader
from bot.identifiers import run_id
from bot.ports import PersonalData, RunLists
from bot.run_desk import RunDesk
from bot.run_events import RunEvent
from bot.stopping import Stopping
from cards.build.commands import forget_me_card, forgotten_card, said_card
from cards.build.home import known_text, memory_card
from semantic_catalog.model import Locale

_LOOKED_BACK = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembering:
    """Remember that …, remember this, my memory, forget, forget me."""

    desk: RunDesk
    reader: HomeReader
    lists: RunLists
    people_data: PersonalData
    stopping: Stopping
    memory_days: int

    async def remember(self, turn: Turn, person: Principal, sentence: str, locale: Locale) -> Said:
        """Keep what the sentence teaches; say why not where it is not clear."""
        catalog = self.desk.deps.catalog_now()
        taught = read_taught(sentence, catalog, person, locale, today_of(self.desk.deps))
        if taught.meaning is None:
            return self._not_taught(taught.choices, person, locale)
        kept = await self.reader.personal.remember(person, (taught.meaning,), "said")
        return await self._remembered(turn, person, kept, locale)

    async def remember_this(self, turn: Turn, person: Principal, run: str, locale: Locale) -> Said:
        """Keep what the person chose last in this thread, or in the run that the button names."""
        records = await self.lists.recent(person.id, _LOOKED_BACK)
        named = [r for r in records if (r.run == run if run else r.thread == turn.thread) and r.settled]
        if not named:
            return _said("command.remember_nothing", locale)
        kept = await self.reader.personal.remember(person, named[0].settled, "clarification")
        return await self._remembered(turn, person, kept, locale)

    async def show(self, person: Principal, locale: Locale) -> Said:
        """Everything that is remembered of the person."""
        known = await self.reader.known(person, locale)
        return Said(card=memory_card(known, self.memory_days, locale), private=True)

    async def forget(self, turn: Turn, person: Principal, which: str, locale: Locale) -> Said:
        """Delete one memory, by its number in the list or by its id."""
        known = await self.reader.known(person, locale)
        found = next((k for number, k in enumerate(known, start=1) if which in (str(number), k.id)), None)
        if found is None:
            return _said("command.forget_unknown", locale)
        await self.reader.personal.forget(person, (found.id,))
        await self._note(turn, person, "memory_forgotten", 1)
        text = say(locale, "command.forgotten_one", text=known_text(found, locale))
        return Said(card=said_card(text, locale), private=True)

    async def forget_all(self, turn: Turn, person: Principal, locale: Locale) -> Said:
        """Delete all memories of the person."""
        count = await self.reader.personal.forget_all(person)
        await self._note(turn, person, "memory_forgotten", count)
        return Said(card=said_card(say(locale, "command.forgotten_all", count=count), locale), private=True)

    def ask_to_forget_me(self, locale: Locale) -> Said:
        """Say what would be deleted, and wait for the button or the words."""
        return Said(card=forget_me_card(locale), private=True)

    async def forget_me(self, turn: Turn, person: Principal, locale: Locale) -> Said:
        """Stop what runs, then delete everything of the person but the audit log."""
        for record in await self.lists.open_of(person.id):
            await self.stopping.withdraw(record, person)
        gone = await self.people_data.forget(person.id)
        facts = {
            "questions": gone.questions,
            "results": gone.results,
            "files": gone.files,
            "memories": gone.memories,
            "opinions": gone.opinions,
        }
        event = RunEvent(name="person_forgotten", by=person.id, facts=facts, once="person_forgotten")
        await self.desk.note(run_id(turn.event_id), event)
        return Said(card=forgotten_card(gone, locale), private=True)

    async def _remembered(self, turn: Turn, person: Principal, kept: tuple[Known, ...], locale: Locale) -> Said:
        if not kept:
            return _said("command.remember_nothing", locale)
        await self._note(turn, person, "memory_kept", len(kept))
        known = {item.id: item for item in await self.reader.known(person, locale)}
        texts = (known_text(known.get(item.id, item), locale) for item in kept)
        text = say(locale, "command.remembered", text="; ".join(texts))
        return Said(card=said_card(text, locale), private=True)

    def _not_taught(self, choices: tuple[str, ...], person: Principal, locale: Locale) -> Said:
        if choices:
            text = say(locale, "command.remember_several", choices=", ".join(choices))
            return Said(card=said_card(text, locale), private=True)
        offered = self.reader.offered(person, locale)
        example = next((metric for domain in offered for metric in domain.metrics), "…")
        text = say(locale, "command.remember_not_understood", example=example)
        return Said(card=said_card(text, locale), private=True)

    async def _note(self, turn: Turn, person: Principal, name: str, count: int) -> None:
        await self.desk.note(
            run_id(turn.event_id), RunEvent(name=name, by=person.id, facts={"count": count}, once=name)
        )


def _said(key: str, locale: Locale) -> Said:
    return Said(card=said_card(say(locale, key), locale), private=True)
