"""A word of one language means one thing, unless the domain lists it as ambiguous on purpose."""

from collections import defaultdict
from collections.abc import Iterator

from semantic_catalog.issues import Issue
from semantic_catalog.model import LOCALES, Domain, Locale, Names
from semantic_catalog.validate.rule import DomainSource
from semantic_catalog.words import fold_phrase

Meaning = tuple[str, ...]


def synonyms_mean_one_thing(source: DomainSource) -> Iterator[Issue]:
    """Warns of every word that names two metrics, two dimensions, two members, or one of each kind."""
    for locale in LOCALES:
        meant = set(_ambiguous_words(source.domain, locale))
        for word, meanings in _meanings(source.domain, locale).items():
            if len(meanings) > 1 and word not in meant:
                others = ", ".join(" ".join(path) for path in meanings[:-1])
                message = f"'{word}' ({locale}) also names {others}"
                hint = "keep it for one of them, or list it under 'ambiguous'"
                yield source.issue(message, *meanings[-1], severity="warning", suggestion=hint)


def ambiguous_words_offer_a_choice(source: DomainSource) -> Iterator[Issue]:
    """An ambiguous word names at least two known metrics, or at least two known dimensions, in every language."""
    for index, word in enumerate(source.domain.ambiguous):
        at = ("ambiguous", str(index))
        for locale in LOCALES:
            if not word.words.get(locale):
                yield source.issue(f"no word in '{locale}'", *at, "words")
        if bool(word.metrics) == bool(word.dimensions):
            yield source.issue("an ambiguous word names either metrics or dimensions", *at)
        elif len({*word.metrics, *word.dimensions}) == 1:
            yield source.issue("an ambiguous word with one meaning is a synonym", *at)


def _ambiguous_words(domain: Domain, locale: Locale) -> Iterator[str]:
    for ambiguous in domain.ambiguous:
        yield from map(fold_phrase, ambiguous.words.get(locale, ()))


def _meanings(domain: Domain, locale: Locale) -> dict[str, list[Meaning]]:
    meanings: dict[str, list[Meaning]] = defaultdict(list)
    for names, path in _named(domain):
        for word in dict.fromkeys(map(fold_phrase, _words(names, locale))):
            meanings[word].append(path)
    return meanings


def _words(names: Names, locale: Locale) -> tuple[str, ...]:
    return (*filter(None, [names.label.get(locale)]), *names.synonyms.get(locale, ()))


def _named(domain: Domain) -> Iterator[tuple[Names, Meaning]]:
    for metric in domain.metrics:
        yield metric.names, ("metrics", metric.name)
    for dimension in domain.dimensions:
        yield dimension.names, ("dimensions", dimension.name)
        for member in dimension.members:
            yield member.names, ("dimensions", dimension.name, "members", member.value)
