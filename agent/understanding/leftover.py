"""Words of a message that nothing used, and which of them might change the answer."""

from agent.understanding.mentions import Mention, Reading, all_small_words
from agent.understanding.names import number_before
from agent.understanding.stems import stem
from agent.understanding.tokens import Token
from agent.understanding.vocabulary import vocabulary
from semantic_catalog.model import LOCALES


def unused_positions(reading: Reading) -> tuple[int, ...]:
    """Positions of words with a meaning of their own that no mention covers."""
    covered = {at for mention in reading.mentions for at in range(mention.start, mention.end)}
    numbers = {m.start - 1 for m in reading.mentions if number_before(reading, m) is not None}
    used = covered | numbers
    return tuple(
        at
        for at, token in enumerate(reading.tokens)
        if at not in used and (_is_content(token) or _is_acronym(reading, at)) and not _is_subject(reading, at)
    )


def _is_subject(reading: Reading, at: int) -> bool:
    """Whether the word only says which data this is about; what stands after 'by' says more."""
    split = any(mark.end == at for mark in reading.with_rule("by"))
    return not split and stem(reading.tokens[at].word, reading.locale) in reading.subject


def _is_acronym(reading: Reading, at: int) -> bool:
    """'UN' in capitals is no article, unless the whole message is in capitals."""
    text = reading.tokens[at].text
    shouted = all(token.text.isupper() for token in reading.tokens if token.text.isalpha())
    joining = reading.tokens[at].word in vocabulary(reading.locale).lists["conjunctions"]
    return len(text) > 1 and text.isalpha() and text.isupper() and not shouted and not joining


def _is_content(token: Token) -> bool:
    known = any(token.word in vocabulary(locale).units for locale in LOCALES)
    return not known and token.word not in all_small_words() and (len(token.word) > 1 or token.number is not None)


def stretches(reading: Reading, positions: tuple[int, ...]) -> tuple[str, ...]:
    """The words as typed, those that stand together as one."""
    runs: list[list[int]] = []
    for at in positions:
        if runs and runs[-1][-1] == at - 1:
            runs[-1].append(at)
        else:
            runs.append([at])
    return tuple(reading.text_of(run[0], run[-1] + 1) for run in runs)


def unknown_split(reading: Reading, positions: tuple[int, ...]) -> tuple[int, ...]:
    """The unused words that stand where a dimension should: right after 'by'."""
    connectors = vocabulary(reading.locale).connectors
    for mark in reading.with_rule("by"):
        at = mark.end
        while at < len(reading.tokens) and reading.tokens[at].word in connectors:
            at += 1
        run = [each for each in positions if each >= at]
        if run and run[0] == at:
            return tuple(each for n, each in enumerate(run) if each == at + n)
    return ()


def blocking_positions(reading: Reading, positions: tuple[int, ...]) -> tuple[int, ...]:
    """The unused words that look like a filter or a measure: after a preposition, beside a name, quoted, a number."""
    return tuple(at for at in positions if _might_matter(reading, at))


def _might_matter(reading: Reading, at: int) -> bool:
    token = reading.tokens[at]
    words = vocabulary(reading.locale)
    telling = token.word in words.ordinals or token.word in words.lists["bounding"]
    if token.number is not None or token.is_quoted or telling or (at > 0 and token.text[:1].isupper()):
        return True
    if any(_is_listed(mention, reading, at) for mention in reading.mentions):
        return True
    return _follows_preposition(reading, at) or any(_is_beside(mention, reading, at) for mention in reading.mentions)


def _is_listed(mention: Mention, reading: Reading, at: int) -> bool:
    """Whether 'and' joins the word and a metric: it is asked for as much as the metric is."""
    first, second = (at, mention.start) if at < mention.start else (mention.end - 1, at)
    joined = second == first + 2 and reading.tokens[first + 1].word in vocabulary(reading.locale).lists["and"]
    return bool(mention.of_kind("metric")) and joined


def _follows_preposition(reading: Reading, at: int) -> bool:
    words = vocabulary(reading.locale)
    earlier = at - 1
    while earlier >= 0:
        if reading.tokens[earlier].word in words.lists["prepositions"]:
            return True
        if reading.tokens[earlier].word not in words.connectors:
            return False
        earlier -= 1
    return False


def _is_beside(mention: Mention, reading: Reading, at: int) -> bool:
    """Right before or after a name of the catalog, with no punctuation between; or inside an operator's reach."""
    if mention.rule in ("exclude", "only", "by", "order_by", "high", "low", "best", "worst"):
        return mention.end == at
    if mention.kind not in ("name", "vague"):
        return False
    after = mention.end == at and not reading.tokens[at].gap
    before = mention.start == at + 1 and not reading.tokens[at + 1].gap
    return after or before
