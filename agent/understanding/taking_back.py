"""What a message does to the question before it: takes the last change back, or leaves it for another."""

from collections.abc import Sequence

from agent.understanding.mentions import requests_in
from agent.understanding.slots import slot_readers
from agent.understanding.tokens import Token, tokenize
from agent.understanding.vocabulary import vocabulary
from semantic_catalog.model import LOCALES


def asks_to_undo(text: str) -> bool:
    """Whether the message says so in any of the languages."""
    tokens = tokenize(text)
    return any(request.name == "undo" for locale in LOCALES for request in requests_in(tokens, locale))


def leaves_topic(text: str) -> bool:
    """Whether the message says that it is about something else, or goes back to an earlier question."""
    return bool(topic_rules(tokenize(text)))


def topic_rules(tokens: Sequence[Token]) -> frozenset[str]:
    """The ways in which the message leaves the topic: `new_topic`, `back_to`, `back_to_first`."""
    found = (hit for words in map(vocabulary, LOCALES) for hit in words.patterns.find_all(tokens, slot_readers(words)))
    return frozenset(hit.name for hit in found) & {"new_topic", "back_to", "back_to_first"}
