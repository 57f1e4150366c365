"""The card of an answer without data: a greeting, what can be asked, what ran before."""

from agent.values.outcome import Reply
from cards.build.phrases import paragraph, suggestion_buttons
from cards.elements import Card
from cards.render.clean import one_line


def reply_card(reply: Reply) -> Card:
    """The words, paragraph by paragraph, and questions to go on with."""
    parts = tuple(paragraph(part.strip("\n")) for part in reply.text.split("\n\n") if part.strip())
    return Card(
        kind="reply",
        elements=(*parts, *suggestion_buttons(reply.suggestions, reply.run)),
        fallback=one_line(reply.text),
        locale=reply.locale,
    )
