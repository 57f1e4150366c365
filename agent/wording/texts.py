"""Every sentence the product says, in the reader's language.

Texts live in `agent/wording/<locale>/<area>.yaml`; the key of a text is `<area>.<name>`. A text is a string with
`{param}` places, or a mapping of plural categories (CLDR: one, few, many, other) chosen by the param `count`.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import yaml
from babel import Locale as BabelLocale

from semantic_catalog.model import Locale

Text = str | Mapping[str, str]


def say(locale: Locale, key: str, *, count: int | str | None = None, **params: object) -> str:
    """The text of `key` in `locale`, filled. Raises `KeyError` for an unknown key or a missing param.

    `count` may be a number or its plain digits, as in the params of a doubt or a finding.
    """
    text = texts(locale)[key]
    if isinstance(text, str):
        return text.format(count=count, **params)
    category = BabelLocale.parse(locale).plural_form(int(count or 0))
    return text.get(category, text["other"]).format(count=count, **params)


def has(key: str) -> bool:
    """Whether such a text exists."""
    return key in texts("en")


@cache
def texts(locale: Locale) -> Mapping[str, Text]:
    """All texts of one language by key; a test compares the keys and the params of the languages."""
    folder = files("agent.wording").joinpath(locale)
    return {
        f"{area.name.removesuffix('.yaml')}.{name}": text
        for area in sorted(folder.iterdir(), key=lambda item: item.name)
        if area.name.endswith(".yaml")
        for name, text in yaml.safe_load(area.read_text(encoding="utf-8")).items()
    }
