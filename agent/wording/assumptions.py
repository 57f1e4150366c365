"""Assumptions in words."""

from agent.values.spec import Assumption
from agent.wording.texts import say
from semantic_catalog.model import Locale


def assumption_texts(assumptions: tuple[Assumption, ...], locale: Locale) -> tuple[str, ...]:
    """One sentence an assumption, in the reader's language."""
    return tuple(say(locale, f"assumption.{item.key}", **dict(item.params)) for item in assumptions)
