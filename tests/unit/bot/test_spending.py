from datetime import UTC, datetime
from decimal import Decimal

import pytest

from agent.errors import ModelMalformed, ModelOverBudget
from agent.values.completion import Prompt
from agent.values.identity import PrincipalId, RunId
from agent.values.meters import Amounts, Budget
from agent.values.outcome import Refusal, RunRecord
from agent.values.usage import used_by
from bot.failures import outcome_of
from bot.spending import BudgetedModel, TokenPrice, spent_by
from tests.fakes.budgets import InMemoryBudgets
from tests.fakes.model import ScriptedModel
from tests.fakes.warehouse import ScriptedWarehouse
from tests.unit.agent.conversing import ALONE, Conversation, person, policy_of

NOON = datetime(2026, 11, 1, 17, tzinfo=UTC)
PRICE = TokenPrice(tokens_in=Decimal(2), tokens_out=Decimal(8))
RECORD = RunRecord(
    run=RunId("run-1"), thread="slack:T1:C1:1", asker=PrincipalId("ana"), status="running", question="q", locale="es",
    created_at=NOON,
)  # fmt: skip


def prompt(words: str = "q") -> Prompt:
    return Prompt(agent="sql", rules="r", material=words, name="statement", schema={})


@pytest.fixture
def model() -> ScriptedModel:
    return ScriptedModel(replies=[{"sql": "SELECT 1"}] * 3)


def asking(budget: Budget) -> tuple[Conversation, InMemoryBudgets]:
    budgets = InMemoryBudgets()
    policy = policy_of(ALONE, person("ana", budget=budget))
    return Conversation(ScriptedWarehouse(), policy, budgets=budgets, currency=lambda: "USD"), budgets


def booked(budgets: InMemoryBudgets) -> list[Amounts]:
    return [each.amounts for each in budgets.spendings.values()]


async def test_a_call_is_booked_with_its_tokens_and_their_price(model: ScriptedModel) -> None:
    talk, budgets = asking(Budget())
    with spent_by(RECORD, "Ev1", talk.deps):
        await BudgetedModel(model, PRICE).complete(prompt())
    assert booked(budgets) == [Amounts(tokens=15, money=Decimal("0.000060"))]
    [spending] = budgets.spendings.values()
    assert (spending.account.person, spending.account.tenant, spending.domain) == ("ana", "slack:T1", None)


async def test_a_turn_that_is_handled_again_books_the_same_call_once(model: ScriptedModel) -> None:
    talk, budgets = asking(Budget())
    for _ in range(2):
        with spent_by(RECORD, "Ev1", talk.deps):
            await BudgetedModel(model, PRICE).complete(prompt())
    assert len(booked(budgets)) == 1
    with spent_by(RECORD, "Ev2", talk.deps):
        await BudgetedModel(model, PRICE).complete(prompt())
    assert len(booked(budgets)) == 2


async def test_the_same_prompt_asked_twice_in_a_turn_is_booked_twice(model: ScriptedModel) -> None:
    talk, budgets = asking(Budget())
    with spent_by(RECORD, "Ev1", talk.deps):
        for _ in range(2):
            await BudgetedModel(model, PRICE).complete(prompt())
    assert len(booked(budgets)) == 2


async def test_a_call_that_gave_nothing_usable_is_booked_all_the_same() -> None:
    talk, budgets = asking(Budget())
    model = ScriptedModel(replies=[ModelMalformed("sql: no JSON", used_by("sql", 100, 20))])
    with spent_by(RECORD, "Ev1", talk.deps), pytest.raises(ModelMalformed):
        await BudgetedModel(model, PRICE).complete(prompt())
    assert [each.tokens for each in booked(budgets)] == [120]


@pytest.mark.parametrize("budget", [Budget(tokens=15), Budget(money=Decimal("0.00006"))], ids=["tokens", "money"])
async def test_over_budget_no_model_is_asked_and_the_refusal_says_what_was_used(
    model: ScriptedModel, budget: Budget
) -> None:
    talk, _ = asking(budget)
    with spent_by(RECORD, "Ev1", talk.deps):
        await BudgetedModel(model, PRICE).complete(prompt())
        with pytest.raises(ModelOverBudget) as raised:
            await BudgetedModel(model, PRICE).complete(prompt("another"))
    assert len(model.prompts) == 1
    told = outcome_of(raised.value, RECORD.run, "es", NOON)
    assert isinstance(told, Refusal)
    assert told.rule in ("budget_person_tokens", "budget_person_money")
    assert ("(15 de 15)" if budget.tokens else "US$") in told.message


async def test_money_does_not_stop_a_model_that_costs_nothing(model: ScriptedModel) -> None:
    talk, budgets = asking(Budget(money=Decimal("0.01")))
    with spent_by(RECORD, "Ev0", talk.deps):
        await BudgetedModel(model, TokenPrice(tokens_in=Decimal(1_000))).complete(prompt("dear"))
        await BudgetedModel(model, TokenPrice()).complete(prompt())
    assert len(booked(budgets)) == 2


async def test_what_nobody_asked_for_in_a_turn_is_in_no_budget(model: ScriptedModel) -> None:
    await BudgetedModel(model, PRICE).complete(prompt())
    assert len(model.prompts) == 1
