"""Whom a card speaks to, where others read along."""

import re
from collections.abc import Iterator
from typing import Final

from microsoft_teams.cards import core

from cards.elements import Card
from cards.render.clean import clean, one_line

_OBJECT_ID: Final = re.compile(r"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
# What would open markup inside the mention's text.
_MARKUP: Final = re.compile(r"[<>*_\[\]`~\\]")


def mention_line(card: Card) -> Iterator[core.CardElement]:
    """The line that names the asked person; none for cards that speak to nobody."""
    found = mention_of(card)
    if found is not None:
        yield core.TextBlock(text=found.text, wrap=True)


def mention_of(card: Card) -> core.Mention | None:
    """The mention of who has to answer a question back; Teams tells them."""
    asked = card.addressee
    if card.kind != "clarification" or asked is None or asked.channel != "teams":
        return None
    name = one_line(_MARKUP.sub("", clean(asked.display_name)))
    if not name or not _OBJECT_ID.fullmatch(asked.user_id):
        return None
    mentioned = core.MentionedEntity(id=asked.user_id, name=name)
    return core.Mention(text=f"<at>{name}</at>", mentioned=mentioned)
