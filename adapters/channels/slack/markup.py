"""Slack's message markup as the words a person wrote."""

import re
from typing import Final

# <@U0A|ana>  <#C0A|general>  <!here>  <!subteam^S1|@finance>  <https://a.example|label>  <mailto:a@b.example>
_TOKEN: Final = re.compile(r"<([@#!][^<>]+|[a-z][a-z0-9+.-]*:[^<>]+)>")
_ENTITIES: Final = (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))


def mentions(text: str, user: str) -> bool:
    """Whether the message names the user."""
    return re.search(_mention(user), text) is not None


def words_of(text: str, bot_user: str) -> str:
    """What was written, without mentions of the bot; links as their labels, names as `@name`, entities unescaped."""
    spoken = re.sub(rf"[ \t]*{_mention(bot_user)}[ \t]*[:,]?[ \t]*", " ", text) if bot_user else text
    plain = _TOKEN.sub(lambda token: _written(token[1]), spoken)
    for entity, character in _ENTITIES:
        plain = plain.replace(entity, character)
    return plain.strip()


def _mention(user: str) -> str:
    return rf"<@{re.escape(user)}(?:\|[^<>]*)?>"


def _written(token: str) -> str:
    target, _, label = token.partition("|")
    match target[:1]:
        case "@" | "#":
            return target[0] + (label or target[1:])
        case "!":
            return label or f"@{target[1:].partition('^')[0]}"
        case _:
            return label or target.removeprefix("mailto:")
