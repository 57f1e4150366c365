"""Whether a message takes the last change back."""

from agent.understanding.mentions import requests_in
from agent.understanding.tokens import tokenize
from semantic_catalog.model import LOCALES


def asks_to_undo(text: str) -> bool:
    """Whether the message says so in any of the languages."""
    tokens = tokenize(text)
    return any(request.name == "undo" for locale in LOCALES for request in requests_in(tokens, locale))
