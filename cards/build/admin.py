"""What an administrator sees in the chat: today's questions, limits and use, models."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from agent.values.views import AskedToday, ModelChecked, Spent, Undelivered
from agent.wording.dates import instant
from agent.wording.numbers import count, decimal
from agent.wording.texts import say
from cards.build.phrases import bullets, paragraph
from cards.elements import Card, Element, Facts, Heading, Table, TableColumn
from semantic_catalog.model import Locale

_COMMANDS: Final = (
    "reload_catalog",
    "reload_policy",
    "reload_models",
    "models_check",
    "pause",
    "who",
    "expire",
    "budgets",
    "undelivered",
)


def admin_help_card(locale: Locale) -> Card:
    """What an administrator can write."""
    lines = [say(locale, f"command.admin_help_{name}") for name in _COMMANDS]
    return _card("command.title_admin", bullets(lines), locale)


def asked_today_card(asked: Sequence[AskedToday], timezone: str, locale: Locale) -> Card:
    """Who asked when, about which data, and how it stands; nobody's words."""
    if not asked:
        return _card("command.title_who", (paragraph(say(locale, "command.who_empty")),), locale)
    rows = tuple(
        (
            item.who,
            instant(item.at, timezone, locale),
            item.domain or "—",
            say(locale, f"command.status_{item.status}"),
            item.run,
        )
        for item in asked
    )
    columns = tuple(
        TableColumn(label=say(locale, f"command.{name}")) for name in ("who", "at", "domain", "status", "run")
    )
    return _card("command.title_who", (Table(columns=columns, rows=rows),), locale)


def budgets_card(limits: Sequence[tuple[str, float]], spent: Sequence[Spent], locale: Locale) -> Card:
    """The limits in force, by the name of their text, and what each person used today."""
    facts = Facts(
        items=tuple(
            (say(locale, f"command.{name}"), decimal(Decimal(str(limit)), locale, decimals=0)) for name, limit in limits
        )
    )
    columns = (
        TableColumn(label=say(locale, "command.who")),
        *(TableColumn(label=say(locale, f"command.{name}"), numeric=True) for name in ("questions", "queries", "rows")),
    )
    rows = tuple(
        (each.who, count(each.questions, locale), count(each.queries, locale), count(each.rows, locale))
        for each in spent
    )
    used: tuple[Element, ...] = (Table(columns=columns, rows=rows),) if rows else (
        paragraph(say(locale, "command.who_empty")),
    )  # fmt: skip
    return _card("command.title_budgets", (facts, *used), locale)


def undelivered_card(letters: Sequence[Undelivered], timezone: str, locale: Locale) -> Card:
    """Whose answers were given up, when they were first tried, and what the platform said."""
    if not letters:
        return _card("command.title_undelivered", (paragraph(say(locale, "command.undelivered_none")),), locale)
    rows = tuple((each.who, instant(each.at, timezone, locale), each.run, each.fault) for each in letters)
    names = ("who", "at", "run", "undelivered_reason")
    columns = tuple(TableColumn(label=say(locale, f"command.{name}")) for name in names)
    return _card("command.title_undelivered", (Table(columns=columns, rows=rows),), locale)


def models_card(checked: Sequence[ModelChecked], locale: Locale) -> Card:
    """A line for each agent that has a model."""
    if not checked:
        return _card("command.title_models", (paragraph(say(locale, "command.admin_no_models")),), locale)
    return _card("command.title_models", bullets([_model_line(each, locale) for each in checked]), locale)


def _model_line(checked: ModelChecked, locale: Locale) -> str:
    key = "command.model_fault" if checked.fault else "command.model_ok"
    seconds = decimal(Decimal(str(round(checked.seconds, 1))), locale, decimals=1)
    return say(locale, key, agent=checked.agent, model=checked.model, seconds=seconds, fault=checked.fault)


def _card(title: str, elements: tuple[Element, ...], locale: Locale) -> Card:
    text = say(locale, title)
    return Card(kind="reply", elements=(Heading(text=text), *elements), fallback=text, locale=locale)
