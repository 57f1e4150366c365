from dataclasses import replace

import pytest

from agent.values.identity import RunId
from agent.values.schedule import PauseReason, ScheduleId
from agent.values.spec import QuerySpec
from agent.values.views import Scheduled
from bot.schedules.making import wish_of
from cards.actions import fits
from cards.build.answer import answer_card
from cards.build.audience import alone_card, apart_card, shared_card
from cards.build.schedule import (
    approval_card,
    closed_card,
    schedule_button,
    schedule_card,
    schedule_form,
    schedules_card,
)
from cards.elements import Actions, Card
from cards.forms import filled
from cards.render.adaptive import render_adaptive
from cards.render.block_kit import render_block_kit, render_home
from cards.render.text import render_text
from semantic_catalog.model import LOCALES, DomainName, Locale, MetricName
from tests.unit.cards import samples
from tests.unit.cards.cases import PICTURES
from tests.unit.cards.hostile import TEXTS
from tests.unit.cards.samples import WORDS
from tests.validators.adaptive_cards import card_faults
from tests.validators.slack_blocks import message_faults, view_faults

SHOWN = Scheduled(
    id=ScheduleId("WEEKLY"),
    title="Approval rate by channel, last 7 days",
    owner="Ana",
    when="every Monday at 9:00, Lima time",
    status="waiting",
    condition="Approval rate < 85 %",
    period="last 7 days (25–31 Oct 2026, Lima time)",
    next_at="",
    signed="once, for 30 days, by Olga",
    sql="SELECT 1",
    days=30,
)
REASONS: tuple[PauseReason, ...] = ("owner", "gone", "refused", "rejected", "uninstalled")


def commands(card: Card) -> list[str]:
    rows = (part for part in card.elements if isinstance(part, Actions))
    return [f"{b.action.verb}:{b.action.value}" for row in rows for b in row.buttons]


def faults(card: Card) -> list[str]:
    blocks = render_home((card,))
    return [
        *message_faults(*render_block_kit(card, PICTURES)),
        *card_faults(render_adaptive(card, PICTURES)),
        *view_faults({"type": "home", "blocks": blocks}),
    ]


def every_card(text: str, locale: Locale) -> list[Card]:
    hostile = replace(
        SHOWN, title=text, owner=text, when=text, condition=text, period=text, next_at=text, signed=text, sql=text
    )
    words = WORDS[locale]
    answer = answer_card(samples.answer(words), samples.table(words, 3), samples.attachments(words))
    return [
        schedule_card(hostile, locale),
        schedule_card(replace(hostile, status="active"), locale),
        approval_card(hostile, locale),
        closed_card(hostile, text, locale),
        schedules_card((hostile,) * 20, locale),
        schedules_card(tuple(replace(hostile, status="paused", why=why) for why in REASONS), locale),
        apart_card("answered_alone", text, RunId("R"), locale, shareable=True),
        apart_card("proposed_alone", text, RunId("R"), locale, shareable=False),
        apart_card("not_reached", text, RunId("R"), locale, shareable=False),
        alone_card(answer, RunId("R"), shareable=True),
        alone_card(answer, RunId("R"), shareable=False),
        shared_card(answer, text),
    ]


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("kind", TEXTS)
def test_no_text_breaks_a_card(locale: Locale, kind: str) -> None:
    for card in every_card(TEXTS[kind], locale):
        assert faults(card) == []


def test_the_button_that_signs_is_there_only_for_who_may() -> None:
    assert commands(schedule_card(SHOWN, "en"))[0] == "schedule_approve:WEEKLY"
    assert commands(schedule_card(replace(SHOWN, days=0), "en")) == ["command:en:schedule_delete WEEKLY"]
    assert commands(approval_card(SHOWN, "en")) == ["schedule_approve:WEEKLY", "schedule_reject:WEEKLY"]
    assert commands(closed_card(SHOWN, "Approved", "en")) == []


def test_the_list_pauses_what_runs_and_resumes_what_is_paused() -> None:
    card = schedules_card((replace(SHOWN, status="active"), replace(SHOWN, status="paused", why="gone")), "en")
    assert commands(card) == [
        "command:en:schedule_pause WEEKLY",
        "command:en:schedule_delete WEEKLY",
        "command:en:schedule_resume WEEKLY",
        "command:en:schedule_delete WEEKLY",
    ]
    assert "only if Approval rate < 85 %" in render_text(card)
    assert "no longer knows you" in render_text(card)


def test_an_empty_list_says_how_to_make_one() -> None:
    assert "send me this every Monday at 9:00" in render_text(schedules_card((), "en"))


@pytest.mark.parametrize("locale", LOCALES)
def test_every_choice_of_the_form_is_understood(locale: Locale) -> None:
    often, time, condition = schedule_form("Lima time", locale).fields
    button = schedule_button(RunId("R"), locale)
    assert fits(button.action)
    for _, every in often.options:
        for _, at in time.options:
            sent = filled(button.action, {often.key: every, time.key: at, condition.key: ""})
            assert wish_of(sent.text, locale) is not None, sent.text
    sent = filled(button.action, {often.key: often.options[0][1], time.key: time.options[0][1], condition.key: "x < 5"})
    wish = wish_of(sent.text, locale)
    assert wish is not None
    assert wish.condition == "x < 5"


def test_only_questions_put_together_from_the_catalog_can_be_scheduled() -> None:
    words = WORDS["en"]
    spec = QuerySpec(domain=DomainName("payments"), metrics=(MetricName("approval_rate"),))
    answer = replace(samples.answer(words), spec=spec)
    table = samples.table(words, 3)
    assert any(each.startswith("schedule:") for each in commands(answer_card(answer, table)))
    assert not any(each.startswith("schedule:") for each in commands(answer_card(replace(answer, spec=None), table)))
    by_hand = replace(answer, query=replace(answer.query, origin="edited"))
    assert not any(each.startswith("schedule:") for each in commands(answer_card(by_hand, table)))
