"""The words of a message without Teams' markup."""

import html
import re
from typing import Final

from adapters.channels.teams.activities import Entity, InboundActivity

_TAGS: Final = re.compile(r"</?at(?:\s[^<>]*)?>")
_SPACES: Final = re.compile(r"[^\S\n]+")
_NAME: Final = re.compile(r"<at(?:\s[^<>]*)?>(.*?)</at>", re.DOTALL)


def mentions_bot(activity: InboundActivity) -> bool:
    """Whether the message names the bot it was sent to."""
    return bool(_own(activity))


def words_of(activity: InboundActivity) -> str:
    """What the person wrote: the bot's own mention is gone (each one once), other people keep their names."""
    text = activity.text
    for entity in _own(activity):
        text = _without(text, entity.text)
    text = html.unescape(_TAGS.sub("", text))
    return _SPACES.sub(" ", text).strip()


def _own(activity: InboundActivity) -> list[Entity]:
    bot = activity.recipient.id
    return [entity for entity in activity.entities if entity.type == "mention" and bot and entity.mentioned.id == bot]


def _without(text: str, mention: str) -> str:
    if mention and mention in text:
        return text.replace(mention, " ", 1)
    named = _NAME.fullmatch(mention)
    # Some clients number the tags of the text and not those of the entity.
    numbered = re.compile(rf"<at(?:\s[^<>]*)?>{re.escape(named[1])}</at>") if named else None
    return numbered.sub(" ", text, count=1) if numbered else text
