"""The catalog's words: every label, synonym and member of a domain, ready to be found in a message."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from agent.understanding.stems import stem
from agent.understanding.tokens import Token, tokenize
from agent.understanding.vocabulary import vocabulary
from semantic_catalog.model import LOCALES, AmbiguousWord, Domain, Locale, Names

_LONGEST_NAME = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One thing of the catalog that a word names. `name` is the metric's or the dimension's; `value` the member's.

    A `vague` word ('rate', 'best') names several metrics on purpose and none of them for certain.
    """

    kind: Literal["metric", "dimension", "member", "vague"]
    name: str
    value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NameFound:
    """Tokens `start` to `end` (not included) name one of `terms`, word for word (`exact`) or in another form."""

    start: int
    end: int
    terms: tuple[Term, ...]
    exact: bool = True


Key = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """The names of one domain. Keys are the words of a name in alphabetical order, without 'of' and 'the'.

    `stems` holds word stems per language, `exact` whole words of every language, `labels` the keys of labels; `words`
    are single words to correct typing errors to, `member_words` those of members, `stem_words` their stems. `subject`
    are the stems of what the domain itself is called: they say nothing more inside it. `parts` are the members by the
    stems of their labels' words.
    """

    stems: Mapping[Locale, Mapping[Key, tuple[Term, ...]]]
    exact: Mapping[Key, tuple[Term, ...]]
    labels: frozenset[Key]
    label_stems: Mapping[Locale, frozenset[Key]]
    words: frozenset[str]
    member_words: frozenset[str]
    stem_words: Mapping[Locale, frozenset[str]]
    subject: Mapping[Locale, frozenset[str]]
    parts: Mapping[Locale, Mapping[str, tuple[Term, ...]]]

    def knows(self, word: str, locale: Locale) -> bool:
        """Whether the word, in some form, is part of any name."""
        return word in self.words or stem(word, locale) in self.stem_words[locale]

    def is_label(self, tokens: Sequence[Token], locale: Locale) -> bool:
        """Whether the words are a label, in some form, and not one of its synonyms."""
        words = [token.word for token in tokens]
        return _exact_key(words) in self.labels or _stem_key(words, locale) in self.label_stems[locale]

    def find(self, tokens: Sequence[Token], locale: Locale) -> list[NameFound]:
        """Every stretch of the message that is a name, overlapping ones included."""
        return [found for start in range(len(tokens)) for found in self._from(tokens, start, locale)]

    def _from(self, tokens: Sequence[Token], start: int, locale: Locale) -> Iterator[NameFound]:
        connectors = _connectors()
        if tokens[start].word in connectors:
            return
        for end in range(start + 1, min(len(tokens), start + _LONGEST_NAME) + 1):
            if tokens[end - 1].word in connectors:
                continue
            terms = self.terms_of(tokens[start:end], locale)
            if terms:
                exact = _exact_key(token.word for token in tokens[start:end]) in self.exact
                yield NameFound(start=start, end=end, terms=terms, exact=exact)

    def terms_of(self, tokens: Sequence[Token], locale: Locale) -> tuple[Term, ...]:
        """What these words name together: literally in any language, else by their stems in the message's own."""
        words = [token.word for token in tokens]
        exact = _exact_key(words)
        if exact in self.exact:
            return self.exact[exact]
        for key in (_stem_key(words, locale), _joined_key(tokens, locale)):
            if key and key in self.stems[locale]:
                return self.stems[locale][key]
        return ()


def build_lexicon(domain: Domain) -> Lexicon:
    """The lexicon of a domain."""
    names = tuple(_names(domain))
    return Lexicon(
        stems={locale: _index(names, locale) for locale in LOCALES},
        exact=_exact_index(names),
        labels=frozenset(_exact_key(_words(text)) for named in _all_names(domain) for text in named.label.values()),
        label_stems={locale: _label_stems(domain, locale) for locale in LOCALES},
        words=frozenset(word for _, _, text in names for word in _words(text)),
        member_words=frozenset(word for term, _, text in names if term.kind == "member" for word in _words(text)),
        stem_words={locale: _stem_words(names, locale) for locale in LOCALES},
        subject={locale: _subject(domain, locale) for locale in LOCALES},
        parts={locale: _parts(domain, locale) for locale in LOCALES},
    )


def _label_stems(domain: Domain, locale: Locale) -> frozenset[Key]:
    keys = (_stem_key(_words(named.label.get(locale, "")), locale) for named in _all_names(domain))
    return frozenset(key for key in keys if key)


def _parts(domain: Domain, locale: Locale) -> Mapping[str, tuple[Term, ...]]:
    index: dict[str, tuple[Term, ...]] = {}
    for dimension in domain.dimensions:
        for member in dimension.members:
            term = Term(kind="member", name=dimension.name, value=member.value)
            texts = (member.value, *(member.names.label.get(each, "") for each in LOCALES))
            for word in {stem(word, locale) for text in texts for word in _content(_words(text))}:
                index[word] = _with(index.get(word, ()), term)
    return index


def _subject(domain: Domain, locale: Locale) -> frozenset[str]:
    texts = (domain.names.label.get(locale, ""), *domain.names.synonyms.get(locale, ()))
    return frozenset(stem(word, locale) for text in texts for word in _content(_words(text)))


def _names(domain: Domain) -> Iterator[tuple[Term, Locale, str]]:
    for metric in domain.metrics:
        yield from _of(Term(kind="metric", name=metric.name), metric.names, metric.name)
    for dimension in domain.dimensions:
        yield from _of(Term(kind="dimension", name=dimension.name), dimension.names, dimension.name)
        for member in dimension.members:
            yield from _of(Term(kind="member", name=dimension.name, value=member.value), member.names, member.value)

    for vague in domain.ambiguous:
        for term in _meant(vague):
            yield from ((term, locale, text) for locale, texts in vague.words.items() for text in texts)


def _all_names(domain: Domain) -> Iterator[Names]:
    yield from (metric.names for metric in domain.metrics)
    yield from (dimension.names for dimension in domain.dimensions)


def _meant(vague: AmbiguousWord) -> tuple[Term, ...]:
    metrics = tuple(Term(kind="vague", name=name) for name in vague.metrics)
    return metrics + tuple(Term(kind="dimension", name=name) for name in vague.dimensions)


def _of(term: Term, names: Names, own: str) -> Iterator[tuple[Term, Locale, str]]:
    for locale in LOCALES:
        texts = (names.label.get(locale, ""), *names.synonyms.get(locale, ()), own.replace("_", " "))
        yield from ((term, locale, text) for text in texts if text)


def _index(names: Iterable[tuple[Term, Locale, str]], locale: Locale) -> Mapping[Key, tuple[Term, ...]]:
    index: dict[Key, tuple[Term, ...]] = {}
    for term, _, text in (item for item in names if item[1] == locale):
        words = _words(text)
        keys = {_stem_key(words, locale), _joined_key(tokenize(text), locale)} - {None}
        for key in keys:
            assert key is not None
            index[key] = _with(index.get(key, ()), term)
    return index


def _stem_words(names: Iterable[tuple[Term, Locale, str]], locale: Locale) -> frozenset[str]:
    return frozenset(stem(word, locale) for _, own, text in names if own == locale for word in _words(text))


def _exact_index(names: Iterable[tuple[Term, Locale, str]]) -> Mapping[Key, tuple[Term, ...]]:
    index: dict[Key, tuple[Term, ...]] = {}
    for term, _, text in names:
        key = _exact_key(_words(text))
        if key:
            index[key] = _with(index.get(key, ()), term)
    return index


def _with(terms: tuple[Term, ...], term: Term) -> tuple[Term, ...]:
    return terms if term in terms else (*terms, term)


def _words(text: str) -> list[str]:
    return [token.word for token in tokenize(text)]


def _content(words: Iterable[str]) -> list[str]:
    return [word for word in words if word not in _connectors()]


def _stem_key(words: Iterable[str], locale: Locale) -> Key | None:
    return tuple(sorted(stem(word, locale) for word in _content(words))) or None


def _exact_key(words: Iterable[str]) -> Key:
    return tuple(sorted(_content(words)))


def _joined_key(tokens: Sequence[Token], locale: Locale) -> Key | None:
    """`e-commerce` as `ecommerce`."""
    if len(tokens) < 2 or not all(token.is_glued for token in tokens[1:]):
        return None
    return (stem("".join(token.word for token in tokens), locale),)


@cache
def _connectors() -> frozenset[str]:
    return frozenset().union(*(vocabulary(locale).connectors for locale in LOCALES))
