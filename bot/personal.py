"""What the product remembers of a person: only what they confirmed, only for them, and deletable."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent.ports import CatalogSource, Clock
from agent.state import RunState
from agent.understanding.meanings import choice_label, holds, is_open_to
from agent.values.identity import Principal
from agent.values.outcome import Clarification
from agent.values.personal import Meaning, PersonalMemory, TaughtBy
from agent.values.views import Known
from bot.identifiers import run_id
from bot.ports import PersonalStore
from semantic_catalog.model import Locale
from semantic_catalog.words import fold_phrase

_NAMED = ("metric", "dimension", "member")
_DEFAULTS = {"metric_default": "metric", "dimension_default": "dimension", "member_default": "member"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalMemories:
    """Keeps, lists and deletes what people confirmed."""

    store: PersonalStore
    catalog: CatalogSource
    clock: Clock

    async def remember(self, person: Principal, meanings: Sequence[Meaning], source: TaughtBy) -> tuple[Known, ...]:
        """Keep what the person confirmed, as far as the catalog has it and they may see it; what was kept."""
        now, catalog = self.clock.now(), self.catalog.current()
        kept = [meaning for meaning in meanings if holds(meaning, catalog) and is_open_to(meaning, person)]
        memories = [
            PersonalMemory(
                id=_id(person, meaning),
                person=person.id,
                meaning=meaning,
                source=source,
                learnt_at=now,
                used_at=now,
            )
            for meaning in dict.fromkeys(kept)
        ]
        for memory in memories:
            await self.store.keep(memory)
        return tuple(self._known(memory, person) for memory in memories)

    async def known(self, person: Principal, locale: Locale) -> tuple[Known, ...]:
        """What is remembered and may be shown, oldest first; what the catalog no longer has is deleted."""
        catalog = self.catalog.current()
        memories = await self.store.of(person.id, self.clock.now())
        gone = tuple(memory.id for memory in memories if not holds(memory.meaning, catalog))
        if gone:
            await self.store.forget(person.id, gone)
        shown = (memory for memory in memories if memory.id not in gone and is_open_to(memory.meaning, person))
        return tuple(self._known(memory, person, locale) for memory in shown)

    async def forget(self, person: Principal, ids: tuple[str, ...]) -> int:
        """Delete those memories of the person; how many there were."""
        return await self.store.forget(person.id, ids)

    async def forget_all(self, person: Principal) -> int:
        """Delete all memories of the person, those that are not shown too; how many there were."""
        memories = await self.store.of(person.id, self.clock.now())
        return await self.store.forget(person.id, tuple(memory.id for memory in memories))

    async def language(self, person: Principal) -> Locale | None:
        """The language the person asked to be answered in where a message does not tell."""
        habits = (memory.meaning for memory in await self.store.of(person.id, self.clock.now()))
        value = next((habit.value for habit in habits if habit.slot == "locale"), None)
        locales: tuple[Locale, ...] = ("en", "es", "ru")
        return next((locale for locale in locales if locale == value), None)

    def _known(self, memory: PersonalMemory, person: Principal, locale: Locale | None = None) -> Known:
        choice = choice_label(memory.meaning, self.catalog.current(), locale or person.locale or "en")
        return Known(id=memory.id, meaning=memory.meaning, choice=choice)


def chosen_meaning(asked: Clarification, value: str) -> Meaning | None:
    """What an answered clarification makes of the asker's words; None where no option was chosen."""
    option = next((option for option in asked.options if value in (option.value, option.label)), None)
    if option is None:
        return None
    words, domain = fold_phrase(asked.words), str(asked.domain or "")
    match asked.slot:
        case "metric" | "dimension" | "member":
            return Meaning(slot=asked.slot, value=option.value, words=words, domain=domain) if words else None
        case "domain" | "period":
            return Meaning(slot=asked.slot, value=option.value)
        case _:
            return None


def settled_by_default(state: RunState) -> tuple[Meaning, ...]:
    """What defaults made of the asker's own words in a run."""
    understanding = state.get("understanding") or {}
    domain = understanding.get("domain") or ""
    taken = [(item["key"], dict(item["params"])) for item in understanding.get("assumptions", [])]
    found = (
        Meaning(slot=slot, value=params["value"], words=fold_phrase(params["words"]), domain=domain)
        for slot in ("metric", "dimension", "member")
        for key, params in taken
        if _DEFAULTS.get(key) == slot and params.get("words") and params.get("value")
    )
    return tuple(found)


def with_words(meanings: Sequence[Meaning]) -> tuple[Meaning, ...]:
    """Those that explain a word of the person; habits are left out."""
    return tuple(meaning for meaning in meanings if meaning.words and meaning.slot in _NAMED)


def told_apart(meanings: Sequence[Meaning], new: Sequence[Meaning | None]) -> tuple[Meaning, ...]:
    """Both together, each once."""
    return tuple(dict.fromkeys((*meanings, *(meaning for meaning in new if meaning is not None))))


def _id(person: Principal, meaning: Meaning) -> str:
    about = replace(meaning, value="")
    return run_id(f"{person.id}:{about.slot}:{about.words}:{about.domain}")
