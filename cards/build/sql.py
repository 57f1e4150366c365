"""The SQL of an answer, on demand."""

from agent.wording.texts import say
from cards.elements import Card, Code
from semantic_catalog.model import Locale


def sql_card(sql: str, locale: Locale) -> Card:
    """The query word for word."""
    return Card(kind="reply", elements=(Code(text=sql),), fallback=say(locale, "button.show_sql"), locale=locale)
