"""Words nobody should send and somebody will: markup, mentions, direction controls, far too much."""

from dataclasses import fields, replace
from typing import Any

from semantic_catalog.model import Locale
from tests.unit.cards.samples import WORDS, Words

TEXTS = {
    "mention": "<!channel> <@U123> <#C123> <http://evil.example|click> @here",
    "slack_markup": "*bold* _italic_ ~strike~ `code` ``` ```fence``` :rotating_light: &lt;!here&gt;",
    "markdown": "[x](http://evil.example) **bold** # title ![p](http://evil.example/p.png) | a | b | \\",
    "list": "- [x](http://evil.example)\n1. one\n# heading",
    "html": "<script>alert(1)</script><at>Everyone</at><b>x</b> &amp;",
    "right_to_left": "\u202egnp.exe\u202c שלום עולם مرحبا",
    "controls": "a\x00b\x07c\x1b[31mred\x7f\ud83d",
    "blank": " ",
    "empty": "",
    "long_word": "x" * 10_000,
    "long_lines": "line & <line> *line*\n" * 500,
    "long_emoji": "😀" * 5_000,
    "template": "{count} {0} %s {name!r}",
}


def hostile_words(locale: Locale, text: str, times: int = 1) -> Words:
    """Words of which each is `text`; lists are `times` as long."""
    lists = {"locale", "follow_ups", "options"}
    texts: dict[str, Any] = {item.name: text for item in fields(Words) if item.name not in lists}
    follow_ups, options = ((text, text),) * 3 * times, ((text, text, text),) * 2 * times
    return replace(WORDS[locale], follow_ups=follow_ups, options=options, **texts)
