from datetime import date
from decimal import Decimal

import pytest

from agent.values.outcome import Answer, Proposal
from cards.build.proposal import proposal_card
from cards.render.text import render_text
from tests.fakes.warehouse import ScriptedResult, ScriptedWarehouse
from tests.unit.agent.conversing import SIGNED, Conversation, policy_of

QUESTIONS = {
    "en": "processed amount by channel last month",
    "es": "monto procesado por canal el mes pasado",
    "ru": "оборот по каналам за прошлый месяц",
}


@pytest.fixture
def talk() -> Conversation:
    rows = (("pos", Decimal(700)), ("ecommerce", Decimal(300)))
    engine = ScriptedWarehouse(
        otherwise=ScriptedResult(columns=(("channel", "text"), ("processed_amount", "numeric")), rows=rows),
        newest={("semantic.v_monthly_payment_metrics", "payment_month"): date(2026, 10, 1)},
    )
    return Conversation(engine, policy_of(SIGNED))


async def changed(talk: Conversation, proposal: Proposal, text: str) -> Proposal:
    outcome = await talk.decide(proposal, kind="change", text=text)
    assert isinstance(outcome, Proposal), outcome
    return outcome


@pytest.mark.parametrize(
    ("language", "text"), [("en", "add the rate"), ("es", "agrega la tasa"), ("ru", "добавь процент")]
)
async def test_a_word_for_several_metrics_is_offered_as_buttons_that_settle_it(
    talk: Conversation, language: str, text: str
) -> None:
    before = await talk.proposed(QUESTIONS[language])
    asked = await changed(talk, before, text)
    assert asked.query.sql == before.query.sql
    assert len(asked.offers) > 1, asked.changes
    assert all(offer.label in render_text(proposal_card(asked)) for offer in asked.offers)
    after = await changed(talk, asked, asked.offers[0].question)
    assert after.spec is not None
    assert (len(after.spec.metrics), after.offers) == (2, ())


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        ("en", "remove the fees", "there is no Fees"),
        ("es", "quita las comisiones", "no hay Comisiones"),
        ("ru", "убери комиссии", "«Комиссии» в вопросе нет"),
    ],
)
async def test_taking_out_what_is_not_there_is_said(talk: Conversation, language: str, text: str, words: str) -> None:
    before = await talk.proposed(QUESTIONS[language])
    after = await changed(talk, before, text)
    assert after.query.sql == before.query.sql
    assert words in after.changes[0]


@pytest.mark.parametrize(("language", "undo"), [("en", "undo"), ("es", "deshaz"), ("ru", "отмени")])
async def test_undoing_a_first_version_goes_back_to_the_question_before_it(
    talk: Conversation, language: str, undo: str
) -> None:
    first = (await talk.ask(QUESTIONS[language], thread="t")).outcome
    assert isinstance(first, Proposal)
    assert isinstance(await talk.decide(first), Answer)
    second = (await talk.ask("only Visa", thread="t")).outcome
    assert isinstance(second, Proposal)
    assert second.spec is not None
    assert second.spec.filters
    back = await changed(talk, second, undo)
    assert back.spec is not None
    assert first.spec is not None
    assert (back.spec.filters, back.spec.metrics) == ((), first.spec.metrics)


async def test_undoing_with_nothing_before_leaves_the_version_and_says_so(talk: Conversation) -> None:
    before = await talk.proposed(QUESTIONS["en"])
    after = await changed(talk, before, "undo")
    assert after.query.sql == before.query.sql
    assert after.changes
