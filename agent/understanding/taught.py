"""'Remember that sales means processed amount': the sentence read against the catalog."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Any

import yaml

from agent.understanding.lexicon import Term, build_lexicon
from agent.understanding.meanings import choice_label
from agent.understanding.mentions import read_mentions
from agent.understanding.periods import dated
from agent.understanding.tokens import Token, tokenize
from agent.understanding.vocabulary import vocabulary
from agent.values.identity import Principal
from agent.values.personal import Meaning, TaughtSlot
from semantic_catalog.model import LOCALES, Catalog, Domain, Locale
from semantic_catalog.words import fold_phrase

MOST_ROWS = 1000
_BREVE = "\u0306"
_QUOTES = " \t\"'«»“”„‘’"
_HABITS: tuple[TaughtSlot, ...] = ("locale", "chart", "limit")
_KINDS: Mapping[str, TaughtSlot] = {"metric": "metric", "dimension": "dimension", "member": "member"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Taught:
    """What a sentence teaches. `meaning` None: it was not understood; `choices` are then what its end may name."""

    meaning: Meaning | None = None
    choices: tuple[str, ...] = ()


def read_taught(text: str, catalog: Catalog, principal: Principal, locale: Locale, today: date) -> Taught:
    """What the words after 'remember that' teach, in any of the languages; only what `principal` may see is named."""
    sentence = " ".join(_plain(text).split()).strip(" .!")
    visible = tuple(domain for domain in catalog.domains if domain.name in principal.domains)
    for slot in _HABITS:
        habit = next((found for target in _targets(slot, sentence) if (found := _habit(slot, target))), None)
        if habit:
            return Taught(meaning=habit)
    usual = next(_usual_domains(sentence, visible), None) or _usual_period(sentence, visible, today)
    if usual or any(True for slot in ("period", "domain") for _ in _targets(slot, sentence)):
        return Taught(meaning=usual)
    return _meaning(sentence, catalog, visible, locale)


def _habit(slot: TaughtSlot, target: str) -> Meaning | None:
    match slot:
        case "locale":
            return _named(slot, target, "languages", anywhere=True)
        case "chart":
            return _named(slot, target, "charts")
        case "limit":
            return Meaning(slot=slot, value=str(int(target))) if 0 < int(target) <= MOST_ROWS else None
        case _:
            return None


def _named(slot: TaughtSlot, target: str, table: str, *, anywhere: bool = False) -> Meaning | None:
    said = fold_phrase(target)
    for locale in LOCALES:
        for name, words in _grammar(locale)[table].items():
            folded = [fold_phrase(word) for word in words]
            if said in folded or (anywhere and any(said.startswith(word) for word in folded)):
                return Meaning(slot=slot, value=name)
    return None


def _usual_domains(sentence: str, visible: tuple[Domain, ...]) -> Iterator[Meaning]:
    for target in _targets("domain", sentence):
        for domain in visible:
            names = (
                domain.name,
                *domain.names.label.values(),
                *(w for ws in domain.names.synonyms.values() for w in ws),
            )
            if fold_phrase(target) in {fold_phrase(name) for name in names}:
                yield Meaning(slot="domain", value=domain.name)


def _usual_period(sentence: str, visible: tuple[Domain, ...], today: date) -> Meaning | None:
    """Words that say days and nothing else, in any of the languages."""
    for target in _targets("period", sentence):
        tokens = tokenize(target)
        for domain, locale in product(visible[:1], LOCALES):
            found = dated(read_mentions(tokens, build_lexicon(domain), locale), today)
            if len(found) == 1 and not _said(tokens[: found[0].start] + tokens[found[0].end :], locale):
                return Meaning(slot="period", value=target)
    return None


def _said(tokens: tuple[Token, ...], locale: Locale) -> bool:
    return any(token.word not in vocabulary(locale).stop for token in tokens)


def _meaning(sentence: str, catalog: Catalog, visible: tuple[Domain, ...], locale: Locale) -> Taught:
    for match in _matches("meaning", sentence):
        words, target = fold_phrase(match["words"].strip(_QUOTES)), match["target"].strip(_QUOTES)
        found = tuple(_things(target, visible)) if words else ()
        if len(found) == 1:
            return Taught(meaning=replace(found[0], words=words))
        if found:
            return Taught(choices=tuple(dict.fromkeys(choice_label(each, catalog, locale) for each in found)))
    return Taught()


def _things(target: str, visible: tuple[Domain, ...]) -> Iterator[Meaning]:
    """What the whole of `target` names; where it is the label of something, only that."""
    tokens = tokenize(target)
    found: dict[Meaning, bool] = {}
    for domain in visible if tokens else ():
        lexicon = build_lexicon(domain)
        for locale in LOCALES:
            is_label = lexicon.is_label(tokens, locale)
            for term in lexicon.terms_of(tokens, locale):
                if term.kind in _KINDS:
                    meaning = _meaning_of(term, domain)
                    found[meaning] = found.get(meaning, False) or is_label
    is_any_label = any(found.values())
    yield from (meaning for meaning, is_label in found.items() if is_label or not is_any_label)


def _meaning_of(term: Term, domain: Domain) -> Meaning:
    value = f"{term.name}={term.value}" if term.kind == "member" else term.name
    return Meaning(slot=_KINDS[term.kind], value=value, domain=domain.name)


def _targets(slot: str, sentence: str) -> Iterator[str]:
    for match in _matches(slot, sentence):
        yield match["target"].strip(_QUOTES)


def _matches(slot: str, sentence: str) -> Iterator[re.Match[str]]:
    for pattern in _patterns(slot):
        match = pattern.fullmatch(sentence)
        if match:
            yield match


@cache
def _patterns(slot: str) -> tuple[re.Pattern[str], ...]:
    written = (text for locale in LOCALES for text in _grammar(locale)["teaching"][slot])
    return tuple(re.compile(_plain(text), re.IGNORECASE) for text in written)


@cache
def _grammar(locale: Locale) -> dict[str, Any]:
    path = files("semantic_catalog").joinpath("global", "commands", f"{locale}.yaml")
    content: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return content


def _plain(text: str) -> str:
    """Without accents; case and signs stay, so that a pattern stays a pattern."""
    decomposed = unicodedata.normalize("NFD", text)
    kept = "".join(c for c in decomposed if not unicodedata.combining(c) or c == _BREVE)
    return unicodedata.normalize("NFC", kept)
