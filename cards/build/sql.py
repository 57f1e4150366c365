"""The SQL of a proposal or an answer, on demand."""

from typing import Final

from agent.values.identity import RunId
from agent.wording.texts import say
from cards.elements import Attachment, Card, Code
from semantic_catalog.model import Locale

LONG_SQL: Final = 3000
"""What a dialog's box holds: longer SQL is changed in an editor of one's own."""


def sql_card(sql: str, locale: Locale) -> Card:
    """The query word for word."""
    return Card(kind="reply", elements=(Code(text=sql),), fallback=say(locale, "button.show_sql"), locale=locale)


def sql_file(sql: str, run: RunId, key: str) -> Attachment:
    """The query as a file, word for word."""
    return Attachment(
        key=f"sql:{key}",
        name=f"countersign-{run}.sql",
        media_type="application/sql",
        title=f"countersign-{run}.sql",
        content=sql.encode(),
    )
