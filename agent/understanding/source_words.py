"""'Use the monthly view instead of the daily one': the source that a message wants read, and what else it says."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.understanding.mentions import all_small_words
from agent.understanding.stems import stem
from agent.understanding.tokens import Token, tokenize
from agent.understanding.vocabulary import vocabulary
from semantic_catalog.model import LOCALES, Domain, Entity


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceWish:
    """The source to read, and the rest of the message: empty where it asks for nothing else."""

    entity: Entity
    rest: str


def source_wish(text: str, domain: Domain) -> SourceWish | None:
    """None where no source is asked for, or the words fit several.

    A source is asked for by a word such as 'use' or 'instead of', and named by its own name, by a name of the catalog
    that says that it is data, or by words of its names right beside 'view', 'source' or their like.
    """
    tokens = tokenize(text)
    verbs, given_up = _places(tokens, "source_verbs"), _given_up(tokens)
    if not verbs and not given_up:
        return None
    named = _named(tokens, given_up, domain)
    if named is None:
        return None
    entity, at = named
    used = _closed({*at, *given_up, *verbs}, tokens)
    left = [token for place, token in enumerate(tokens) if place not in used]
    says_more = any(token.word not in all_small_words() for token in left)
    return SourceWish(entity=entity, rest=" ".join(token.text for token in left) if says_more else "")


def _named(tokens: Sequence[Token], given_up: set[int], domain: Domain) -> tuple[Entity, set[int]] | None:
    """The one source that the most words name, and where; what is given up names none."""
    places = [at for at in range(len(tokens)) if at not in given_up]
    found = [(entity, _best(entity, tokens, places)) for entity in domain.entities]
    most = max((len(at) for _, at in found), default=0)
    best = [(entity, at) for entity, at in found if at and len(at) == most]
    return best[0] if len(best) == 1 else None


def _best(entity: Entity, tokens: Sequence[Token], places: Sequence[int]) -> set[int]:
    """The places of the words that name the entity, with the noun beside them."""
    own = {entity.name.lower(), entity.source.lower().rpartition(".")[2]}
    words = {at for at in places if tokens[at].word in own}
    if words:
        return words
    names = [_stems(text) for text in _texts(entity)]
    nouns = _places(tokens, "source_nouns")
    if nouns and not nouns & set(places):
        return max(({at for at in places if _forms(tokens[at].word) & name} for name in names), key=len, default=set())
    nouns &= set(places)
    return max((_beside(noun, name, tokens, places) for noun in nouns for name in names), key=len, default=set())


def _beside(noun: int, name: frozenset[str], tokens: Sequence[Token], places: Sequence[int]) -> set[int]:
    """The unbroken run of the name's words that touches the noun; articles and 'of' do not break it."""
    links = frozenset[str]().union(*(vocabulary(locale).connectors for locale in LOCALES))
    allowed = set(places)
    run: set[int] = set()
    for step in (-1, 1):
        at = noun + step
        while at in allowed and (tokens[at].word in links or _forms(tokens[at].word) & name):
            if tokens[at].word not in links:
                run.add(at)
            at += step
    return {noun, *run} if run else set()


def _given_up(tokens: Sequence[Token]) -> set[int]:
    """'instead of the daily one', 'replace the daily view with': the words up to the next verb, 'and' or stop."""
    verbs, ends = _places(tokens, "source_verbs"), _places(tokens, "and")
    gone: set[int] = set()
    for start in _places(tokens, "source_given_up"):
        gone.add(start)
        at = start + 1
        while at < len(tokens) and at not in verbs | ends and (not tokens[at].gap or at == start + 1):
            gone.add(at)
            at += 1
    for start in _places(tokens, "swaps"):
        to = min((at for at in _places(tokens, "source_to") if at > start), default=None)
        # 'Change to the monthly view' gives up nothing but the verb.
        if to is not None:
            gone.update(range(start, to + 1))
    return gone


def _closed(used: set[int], tokens: Sequence[Token]) -> set[int]:
    """The places with the small words between and around them, as far as no other word is reached."""
    joins = _places(tokens, "and")
    closed = set(used)
    for at in [*range(len(tokens)), *reversed(range(len(tokens)))]:
        beside = at - 1 in closed or at + 1 in closed
        if beside and at not in joins and tokens[at].word in _links():
            closed.add(at)
    return closed


def _links() -> frozenset[str]:
    lists = (vocabulary(locale).connectors | vocabulary(locale).lists["source_links"] for locale in LOCALES)
    return frozenset[str]().union(*lists)


def _places(tokens: Sequence[Token], kind: str) -> set[int]:
    words = frozenset[str]().union(*(vocabulary(locale).lists[kind] for locale in LOCALES))
    return {at for at, token in enumerate(tokens) if token.word in words}


def _texts(entity: Entity) -> Iterator[str]:
    yield from entity.names.label.values()
    for synonyms in entity.names.synonyms.values():
        yield from synonyms


def _stems(text: str) -> frozenset[str]:
    small = all_small_words()
    words = [token.word for token in tokenize(text) if token.word not in small]
    return frozenset[str]().union(*(_forms(word) for word in words))


def _forms(word: str) -> frozenset[str]:
    return frozenset(stem(word, locale) for locale in LOCALES)
