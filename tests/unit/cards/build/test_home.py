from datetime import UTC, datetime
from decimal import Decimal

import pytest

from agent.values.identity import PrincipalId, RunId
from agent.values.meters import Amounts, Budget
from agent.values.personal import Forgotten, Meaning
from agent.values.views import AskedBefore, AskedToday, BudgetsToday, Home, Known, ModelChecked, Offered, Spent, Waiting
from cards.build.admin import admin_help_card, asked_today_card, budgets_card, models_card
from cards.build.commands import forget_me_card, forgotten_card, said_card
from cards.build.home import help_card, history_card, home_card, memory_card, waiting_card
from cards.elements import Card
from cards.render.adaptive import render_adaptive
from cards.render.block_kit import render_block_kit
from cards.render.text import render_text
from semantic_catalog.model import LOCALES, DomainName, Locale
from tests.unit.cards.hostile import TEXTS
from tests.validators.adaptive_cards import card_faults
from tests.validators.slack_blocks import message_faults

NOON = datetime(2026, 11, 1, 17, 2, tzinfo=UTC)
ZONE = "America/Lima"


def home(text: str, times: int = 1) -> Home:
    """One of everything, or `times` of it, with `text` wherever a person's or a catalog's words stand."""
    meaning = Meaning(slot="metric", value="fees", words=text or "w", domain="payments")
    usual = Meaning(slot="period", value=text)
    return Home(
        person=PrincipalId("ana"),
        offered=tuple(
            Offered(
                domain=DomainName("payments"),
                label=text,
                metrics=(text,) * 12,
                signed_questions=(text,),
                is_paused=number % 2 == 1,
            )
            for number in range(times)
        ),
        recent=(AskedBefore(run=RunId("7F3K"), question=text, status="answered", asked_at=NOON),) * times,
        waiting=(Waiting(run=RunId("7F3K"), title=text, domain=text, asked_by=text, expires_at=NOON),) * times,
        known=(Known(id="A1", meaning=meaning, choice=text), Known(id="A2", meaning=usual, choice=text)) * times,
        timezone=ZONE,
        is_admin=True,
    )


def budgets(text: str, times: int = 1) -> BudgetsToday:
    """Every limit of a day, and none; use by people and tenants."""
    some, used = Budget(queries=50, money=Decimal("2.5")), Amounts(queries=2, rows=400, tokens=900)
    return BudgetsToday(
        limits=(("budget_messages", 30), ("budget_rows", 500)),
        roles=((text, some),) * times,
        tenants=(("", Budget()), (text, some)) * times,
        people=(Spent(who=text, questions=3, queries=2, rows=12_400, tokens=900, money=Decimal("0.018")),) * times,
        used_by_tenants=((text, used),) * times,
        resets_at=NOON,
        timezone=ZONE,
        currency="USD",
    )


def every_card(text: str, locale: Locale, times: int = 1) -> tuple[Card, ...]:
    all_of = home(text, times)
    asked = (AskedToday(who=text, at=NOON, domain=text, status="no_data", run=RunId("7F3K")),) * times
    models = (
        ModelChecked(agent="sql", model=text, seconds=1.25),
        ModelChecked(agent="sql", model=text, seconds=0.5, fault=text),
    )
    return (
        home_card(all_of, locale, 90),
        help_card(all_of, locale),
        history_card(all_of.recent, ZONE, locale),
        waiting_card(all_of.waiting, ZONE, locale),
        memory_card(all_of.known, 90, locale),
        said_card(f"Done: {text}", locale),
        forget_me_card(locale),
        forgotten_card(Forgotten(questions=2, memories=1), locale),
        admin_help_card(locale),
        asked_today_card(asked, ZONE, locale),
        budgets_card(budgets(text, times), locale),
        models_card(models * times, locale),
    )


def faults(card: Card) -> list[str]:
    return [*message_faults(*render_block_kit(card, {})), *card_faults(render_adaptive(card, {}))]


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("kind", TEXTS)
def test_no_text_breaks_a_card(locale: Locale, kind: str) -> None:
    assert [faults(card) for card in every_card(TEXTS[kind], locale)] == [[]] * 12


@pytest.mark.parametrize("locale", LOCALES)
def test_more_of_everything_than_a_platform_takes_is_cut(locale: Locale) -> None:
    assert [faults(card) for card in every_card("Approval rate by channel " * 10, locale, 60)] == [[]] * 12


@pytest.mark.parametrize("locale", LOCALES)
def test_where_there_is_nothing_it_is_said(locale: Locale) -> None:
    empty = Home(person=PrincipalId("ana"), offered=(), recent=(), waiting=(), known=(), timezone=ZONE)
    said = render_text(home_card(empty, locale, 90))
    assert "[" not in said
    assert len(said.split("\n\n")) == 8
    assert "admin:" not in render_text(help_card(empty, locale))


def test_a_history_line_tells_status_time_and_run() -> None:
    told = render_text(history_card(home("fees by channel").recent, ZONE, "es"))
    assert "1. fees by channel — respondida, dom 1 nov, 12:02, ejecución 7F3K" in told


def test_memories_are_told_apart_by_what_they_are() -> None:
    told = render_text(memory_card(home("takings").known, 90, "en"))
    assert "1. “takings” means takings" in told
    assert "2. Usual period: takings" in told
    assert "90 days" in told


def test_a_paused_domain_offers_no_signed_question() -> None:
    both = home("x", 2).offered
    assert render_text(help_card(home("x", 2), "en")).count("(paused)") == 1
    assert len([domain for domain in both if domain.is_paused]) == 1


def test_what_was_deleted_is_counted() -> None:
    told = render_text(forgotten_card(Forgotten(questions=2, results=1, files=3, memories=4, opinions=5), "en"))
    assert "Questions: 2. Results: 1. Files: 3. Memories: 4. Reasons and opinions: 5." in told


def test_budgets_tell_limits_and_use_by_role_person_and_tenant() -> None:
    told = render_text(budgets_card(budgets("analyst"), "en"))
    assert "Role analyst: queries: 50; rows: no limit; tokens: no limit; money: US$ 2.50" in told.replace("\u00a0", " ")
    assert "Each organisation: queries: no limit" in told
    assert "analyst: queries: 2; rows: 400; tokens: 900" in told
    assert "The day ends Sun 1 Nov, 12:02." in told
