"""What Teams offers beside the box for messages: questions of the catalog, and words that do something."""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any, Final

from agent.wording.texts import say
from semantic_catalog.model import Catalog, Domain, Locale

MOST: Final = 10
TITLE, DESCRIPTION, PROMPT = 32, 128, 4_000

_WORDS: Final = ("help_stop", "help_new", "help_history", "help_waiting")
"""Texts of the product's own help, which begin with the word to write."""


def command_lists(catalog: Catalog, locale: Locale) -> list[dict[str, Any]]:
    """The manifest's lists: prompts for personal chats, the same questions to pick from elsewhere; words in both."""
    words = [_word(locale, key) for key in _WORDS]
    asked = tuple(questions(catalog, locale))[: MOST - len(words)]
    prompts = [{**_question(question, domain), "type": "prompt", "prompt": question} for domain, question in asked]
    short = [(domain, question) for domain, question in questions(catalog, locale) if len(question) <= TITLE]
    picked = [_question(question, domain) for domain, question in short[: MOST - len(words)]]
    return [
        {"scopes": ["personal"], "commands": [*prompts, *words]},
        {"scopes": ["team", "groupChat"], "commands": [*words, *picked]},
    ]


def questions(catalog: Catalog, locale: Locale) -> Iterator[tuple[str, str]]:
    """The label of a domain with a question it answers: each domain's first, then each one's second, and so on."""
    for round_ in zip_longest(*(_of(domain, locale) for domain in catalog.domains)):
        yield from (found for found in round_ if found is not None and len(found[1]) <= PROMPT)


def _of(domain: Domain, locale: Locale) -> list[tuple[str, str]]:
    signed = (question for query in domain.trusted_queries for question in query.questions.get(locale, ())[:1])
    examples = (example.question for example in domain.examples if example.locale == locale)
    return [(domain.names.in_locale(locale), question) for question in dict.fromkeys((*signed, *examples))]


def _question(question: str, domain: str) -> dict[str, Any]:
    return {"title": _cut(question, TITLE), "description": _cut(f"{domain}: {question}", DESCRIPTION)}


def _word(locale: Locale, key: str) -> dict[str, Any]:
    word, _, meaning = say(locale, f"command.{key}").partition(": ")
    return {"title": _cut(word, TITLE), "description": _cut(meaning.partition("; ")[0], DESCRIPTION)}


def _cut(text: str, most: int) -> str:
    """The text, cut between words where it is too long."""
    if len(text) <= most:
        return text
    whole = text[:most].rpartition(" ")[0]
    return f"{(whole or text)[: most - 1].rstrip(' ,.;:')}…"
