"""What a person confirmed earlier, put into what they ask now: every use of it is a stated assumption."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from agent.ports import CatalogSource, Interpreter
from agent.understanding.meanings import choice_label, holds, is_open_to
from agent.values.identity import Principal
from agent.values.memory import Question
from agent.values.personal import PersonalMemory
from agent.values.spec import Assumption, QuerySpec, Slot, Understanding
from semantic_catalog.model import LOCALES, Catalog, Locale
from semantic_catalog.words import fold_phrase

MOST_ANSWERED = 4
_TALK = ("general", "viz_change", "discuss")


class Remembering:
    """Implements `Interpreter` over another one. Without memories, or where none applies, it adds nothing.

    A meaning takes effect only where the reading bears it out: else the message is read as if nothing were known.
    What the catalog no longer has, or the person may no longer see, is left alone.
    """

    def __init__(self, inner: Interpreter, catalog: CatalogSource) -> None:
        self._inner = inner
        self._catalog = catalog

    async def interpret(self, question: Question, principal: Principal) -> Understanding:
        """The meaning. Raises what the interpreter beneath raises."""
        catalog = self._catalog.current()
        known = tuple(m for m in question.personal if holds(m.meaning, catalog) and is_open_to(m.meaning, principal))
        if not known:
            return await self._inner.interpret(question, principal)
        asked = _in_usual_language(question, known)
        worded = await self._worded(asked, principal, known, catalog)
        if worded is not None:
            return _with_habits(worded, known, catalog)
        return _with_habits(await self._answered(asked, principal, known, catalog), known, catalog)

    async def _worded(
        self, question: Question, principal: Principal, known: Sequence[PersonalMemory], catalog: Catalog
    ) -> Understanding | None:
        """The reading with a metric's label in place of the person's own word; None where that changes nothing."""
        said = [m for m in known if m.meaning.slot == "metric" and _says(question.text, m.meaning.words)]
        if not said:
            return None
        plain = await self._inner.interpret(replace(question, rules_only=True), principal)
        new = [m for m in said if plain.spec is None or m.meaning.value not in plain.spec.metrics]
        if not new or plain.declined or plain.turn_type in _TALK or plain.relation == "session_reference":
            return None
        text = _replaced(question.text, new, catalog, plain.language)
        reading = await self._answered(replace(question, text=text), principal, known, catalog)
        return _noted(reading, new, catalog) if all(_bears_out(reading, m) for m in new) else None

    async def _answered(
        self, question: Question, principal: Principal, known: Sequence[PersonalMemory], catalog: Catalog
    ) -> Understanding:
        """The reading with every question back answered that the person answered before."""
        asked = replace(question, assume_defaults=False)
        meaning = await self._inner.interpret(asked, principal)
        used: list[PersonalMemory] = []
        while meaning.slots and len(used) < MOST_ANSWERED:
            answer = next((m for m in known if m not in used and _answers(m, meaning)), None)
            if answer is None:
                break
            pinned = (*asked.pinned, (meaning.slots[0].name, answer.meaning.value))
            further = await self._inner.interpret(replace(asked, pinned=pinned), principal)
            if _is_same_question(further, meaning.slots[0]):
                break
            asked, meaning = replace(asked, pinned=pinned), further
            used.append(answer)
        if meaning.slots and question.assume_defaults:
            meaning = await self._inner.interpret(replace(asked, assume_defaults=True), principal)
        return _noted(meaning, used, catalog)


def _in_usual_language(question: Question, known: Sequence[PersonalMemory]) -> Question:
    """The language taken where the message does not tell its own."""
    usual = _habit("locale", known)
    locale: Locale | None = next((each for each in LOCALES if usual and each == usual.meaning.value), None)
    return replace(question, locale=locale or question.locale)


def _habit(slot: str, known: Iterable[PersonalMemory]) -> PersonalMemory | None:
    return next((m for m in known if m.meaning.slot == slot and not m.meaning.words), None)


def _says(text: str, words: str) -> bool:
    return bool(words) and f" {words} " in f" {fold_phrase(text)} "


def _replaced(text: str, memories: Sequence[PersonalMemory], catalog: Catalog, locale: Locale) -> str:
    """The text with labels in place of the person's words; the longest words first."""
    for memory in sorted(memories, key=lambda m: -len(m.meaning.words)):
        label = choice_label(memory.meaning, catalog, locale)
        text = _put(text, memory.meaning.words, label)
    return text


def _put(text: str, words: str, label: str) -> str:
    """`label` in place of the shortest stretch of whole words of `text` that reads as `words`."""
    pieces = text.split()
    length = len(words.split())
    for size in range(1, length + 1):
        for start in range(len(pieces) - size + 1):
            stretch = pieces[start : start + size]
            if fold_phrase(" ".join(stretch)) == words:
                tail = stretch[-1][len(stretch[-1].rstrip("?!.,;:")) :]
                return " ".join((*pieces[:start], label + tail, *pieces[start + size :]))
    return text


def _bears_out(meaning: Understanding, memory: PersonalMemory) -> bool:
    """Whether the reading is about the metric, or asks about something else of its domain first."""
    wanted = memory.meaning
    if meaning.spec is not None:
        return meaning.spec.domain == wanted.domain and wanted.value in meaning.spec.metrics
    asks_on = bool(meaning.slots) and all(slot.name != "metric" for slot in meaning.slots)
    return asks_on and meaning.domain in (None, wanted.domain)


def _answers(memory: PersonalMemory, meaning: Understanding) -> bool:
    slot, known = meaning.slots[0], memory.meaning
    if known.slot != slot.name or known.domain not in ("", meaning.domain):
        return False
    if known.words:
        return known.words == fold_phrase(slot.words)
    offered = {option.value for option in slot.options}
    return slot.reason == "missing" if slot.name == "period" else known.value in offered


def _is_same_question(meaning: Understanding, slot: Slot) -> bool:
    return any(each.name == slot.name and each.words == slot.words for each in meaning.slots)


def _noted(meaning: Understanding, used: Sequence[PersonalMemory], catalog: Catalog) -> Understanding:
    said = tuple(_assumption(memory, catalog, meaning.language) for memory in used)
    return replace(
        meaning,
        assumptions=(*said, *meaning.assumptions),
        remembered=tuple(dict.fromkeys((*meaning.remembered, *(memory.id for memory in used)))),
    )


def _assumption(memory: PersonalMemory, catalog: Catalog, locale: Locale) -> Assumption:
    known = memory.meaning
    choice = choice_label(known, catalog, locale)
    if known.words:
        return Assumption(key="remembered", params=(("words", known.words), ("choice", choice)))
    return Assumption(key=f"remembered_{known.slot}", params=(("choice", choice),))


def _with_habits(meaning: Understanding, known: Sequence[PersonalMemory], catalog: Catalog) -> Understanding:
    """The person's number of rows and chart kind, where they named none."""
    if meaning.spec is None or meaning.spec.trusted_query:
        return meaning
    limit, chart = _habit("limit", known), _habit("chart", known)
    if limit and any(item.key == "limit_default" for item in meaning.assumptions):
        others = tuple(item for item in meaning.assumptions if item.key != "limit_default")
        spec = replace(meaning.spec, limit=int(limit.meaning.value))
        meaning = _noted(replace(meaning, spec=spec, assumptions=others), [limit], catalog)
    if chart and meaning.spec is not None and _is_drawn_anyhow(meaning.spec, meaning):
        spec = replace(meaning.spec, chart=chart.meaning.value)  # type: ignore[arg-type]  # only chart kinds are kept
        meaning = _noted(replace(meaning, spec=spec), [chart], catalog)
    return meaning


def _is_drawn_anyhow(spec: QuerySpec, meaning: Understanding) -> bool:
    shown = bool(spec.dimensions) or spec.grain is not None
    return spec.chart is None and shown and meaning.turn_type in ("new_query", "refine", "drill_down")
