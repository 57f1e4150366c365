from datetime import date
from decimal import Decimal

import pytest

from agent.policy.model import Policy, Tiers
from agent.values.outcome import Answer, Proposal, Receipt
from cards.build.outcome import outcome_card
from cards.render.text import render_text
from tests.fakes.warehouse import ScriptedResult, ScriptedWarehouse
from tests.unit.agent.conversing import SIGNED, Conversation, policy_of

SIGNED_QUESTION = "Approval rate by channel last 7 days"
ALMOST = "Approval rate by brand last 7 days"
TRUSTED_ALONE = Tiers(trusted="auto", routine="auto")


def talk(policy: Policy) -> Conversation:
    rows = (("pos", Decimal("0.9")), ("ecommerce", Decimal("0.8")))
    columns = (("channel", "text"), ("approval_rate", "numeric"))
    newest = {("semantic.v_daily_payment_metrics", "payment_date"): date(2026, 10, 31)}
    return Conversation(ScriptedWarehouse(otherwise=ScriptedResult(columns=columns, rows=rows), newest=newest), policy)


def badge(receipt: Receipt) -> str:
    return next((line.value for line in receipt.lines if line.key == "trusted"), "")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (SIGNED_QUESTION, "checked by the payments data owners on 15 Oct 2026"),
        (
            "Tasa de aprobación por canal últimos 7 días",
            "revisada por los responsables de los datos de pagos el 15 oct 2026",
        ),
        ("Доля одобренных по каналам за последние 7 дней", "проверен: владельцы данных о платежах, 15 окт. 2026"),
    ],
)
async def test_a_signed_question_says_who_checked_it_and_when(question: str, said: str) -> None:
    proposal = await talk(policy_of(SIGNED)).proposed(question)
    assert badge(proposal.receipt) == said
    assert proposal.query.origin == "trusted"
    assert said in render_text(outcome_card(proposal))


async def test_the_answer_wears_the_badge_too() -> None:
    open_talk = talk(policy_of(SIGNED))
    answer = await open_talk.decide(await open_talk.proposed(SIGNED_QUESTION))
    assert isinstance(answer, Answer)
    table = await open_talk.results.read(answer.result)
    assert "Trusted query, checked by the payments data owners on 15 Oct 2026" in render_text(
        outcome_card(answer, table)
    )


async def test_other_words_of_the_same_meaning_are_the_signed_question() -> None:
    proposal = await talk(policy_of(SIGNED)).proposed("share of approved payments per channel, 25 to 31 October 2026")
    assert badge(proposal.receipt)


async def test_a_policy_may_let_signed_questions_alone_run_by_themselves() -> None:
    policy = policy_of(TRUSTED_ALONE)
    answer = await talk(policy).answered(SIGNED_QUESTION)
    assert answer.approved_by == "policy:acme"
    proposal = await talk(policy).proposed(ALMOST)
    assert badge(proposal.receipt) == ""
    assert proposal.query.origin == "compiled"


async def test_a_word_that_nobody_understood_is_no_part_of_a_signed_question() -> None:
    outcome = (await talk(policy_of(TRUSTED_ALONE)).ask(f"{SIGNED_QUESTION} for gizmo shoppers")).outcome
    assert not isinstance(outcome, Answer)
    if isinstance(outcome, Proposal):
        assert badge(outcome.receipt) == ""
