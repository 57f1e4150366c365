"""What a person who installs the app reads in the browser."""

from html import escape
from string import Template
from typing import Final

from agent.wording.texts import say
from semantic_catalog.model import Locale

_PAGE: Final = Template(
    '<!DOCTYPE html><html lang="$locale"><head><meta charset="utf-8"><title>Countersign</title>'
    '<meta name="viewport" content="width=device-width, initial-scale=1"></head>'
    '<body style="font: 1.1rem/1.5 system-ui, sans-serif; max-width: 36rem; margin: 4rem auto; padding: 0 1rem">'
    "<h1>Countersign</h1><p>$words</p></body></html>"
)


def page(locale: Locale, what: str, name: str = "") -> str:
    """The page that says `install.<what>`; `name` is the workspace's."""
    given = {"name": name} if what == "done" else {}
    return _PAGE.substitute(locale=locale, words=escape(say(locale, f"install.{what}", **given)))
