"""What an administrator sees in the chat: today's questions, limits and use, models."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

from agent.values.meters import METERS, Amounts, Budget
from agent.values.views import AskedToday, BudgetsToday, ModelChecked, Undelivered
from agent.wording.budgets import said_amount
from agent.wording.dates import instant
from agent.wording.numbers import count, decimal
from agent.wording.texts import say
from cards.build.phrases import bullets, paragraph, small
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


def admin_help_card(locale: Locale, faults: Sequence[str] = ()) -> Card:
    """What an administrator can write, after what of `catalog`, `policy` and `models` could not be read again."""
    told = tuple(paragraph(say(locale, f"command.admin_faulty_{name}")) for name in faults)
    lines = [say(locale, f"command.admin_help_{name}") for name in _COMMANDS]
    return _card("command.title_admin", (*told, *bullets(lines)), locale)


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


def budgets_card(today: BudgetsToday, locale: Locale) -> Card:
    """The limits in force, of everybody and of each role and tenant, and what each person and tenant used today."""
    limits = ((say(locale, f"command.{name}"), count(limit, locale)) for name, limit in today.limits)
    return _card(
        "command.title_budgets",
        (
            Facts(items=tuple(limits)),
            paragraph(say(locale, "command.budget_day"), bold=True),
            Facts(items=tuple(_budgets(today, locale))),
            paragraph(say(locale, "command.budget_used"), bold=True),
            *_used_by_people(today, locale),
            *_used_by_tenants(today, locale),
            small(say(locale, "command.budget_resets", at=instant(today.resets_at, today.timezone, locale))),
        ),
        locale,
    )


def _budgets(today: BudgetsToday, locale: Locale) -> Iterator[tuple[str, str]]:
    for role, budget in today.roles:
        yield say(locale, "command.budget_role", role=role), _day(budget, today.currency, locale)
    for tenant, budget in today.tenants:
        yield tenant or say(locale, "command.budget_tenant"), _day(budget, today.currency, locale)


def _day(amounts: Budget | Amounts, currency: str, locale: Locale) -> str:
    """Amounts of a day in one line; where there is no limit, it says so."""
    said = {}
    for meter in METERS:
        value = amounts.of(meter)
        none = say(locale, "command.budget_none")
        said[meter] = none if value is None else said_amount(meter, value, currency, locale)
    return say(locale, "command.budget_line", **said)


def _used_by_people(today: BudgetsToday, locale: Locale) -> tuple[Element, ...]:
    if not today.people:
        return (paragraph(say(locale, "command.who_empty")),)
    names = ("questions", "queries", "rows", "tokens", "money")
    columns = (
        TableColumn(label=say(locale, "command.who")),
        *(TableColumn(label=say(locale, f"command.{name}"), numeric=True) for name in names),
    )
    rows = tuple(
        (
            each.who,
            *(count(number, locale) for number in (each.questions, each.queries, each.rows, each.tokens)),
            said_amount("money", each.money, today.currency, locale),
        )
        for each in today.people
    )
    return (Table(columns=columns, rows=rows),)


def _used_by_tenants(today: BudgetsToday, locale: Locale) -> tuple[Element, ...]:
    items = tuple((tenant, _day(used, today.currency, locale)) for tenant, used in today.used_by_tenants)
    return (Facts(items=items),) if items else ()


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
