from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest

from agent.budgeting import budget_day
from agent.deps import NoMeasures
from agent.policy.budgets import BudgetRules, WarehousePrice
from agent.policy.model import Policy
from agent.values.budget import Account, Spending, tenant_of
from agent.values.identity import PrincipalId, RunId, ThreadKey
from agent.values.meters import Amounts, Budget
from agent.values.outcome import Answer, Outcome, Proposal, Refusal
from cards.build.proposal import proposal_card
from cards.render.text import render_text
from semantic_catalog.model import DomainName
from tests.fakes.budgets import InMemoryBudgets
from tests.fakes.warehouse import CHEAP, ScriptedResult, ScriptedWarehouse
from tests.unit.agent.conversing import ALONE, SIGNED, Conversation, person, policy_of

QUESTIONS = tuple(f"{measure} by channel last month" for measure in ("processed amount", "approval rate", "fees"))
DAY = timedelta(days=1)


class Limited(NoMeasures):
    """Implements `Measures`; `limits` lists what turned something away."""

    def __init__(self) -> None:
        self.limits: list[str] = []

    def limited(self, limit: str) -> None:
        self.limits.append(limit)


def talk_of(policy: Policy, currency: str = "") -> Conversation:
    rows = (("pos", Decimal(700)), ("ecommerce", Decimal(300)))
    engine = ScriptedWarehouse(
        otherwise=ScriptedResult(columns=(("channel", "text"), ("value", "numeric")), rows=rows),
        estimates=replace(CHEAP, relation_bytes=4_000_000_000),
    )
    return Conversation(engine, policy, budgets=InMemoryBudgets(), measures=Limited(), currency=lambda: currency)


def limits_of(talk: Conversation) -> list[str]:
    assert isinstance(talk.deps.measures, Limited)
    return talk.deps.measures.limits


def with_budget(budget: Budget) -> Policy:
    return policy_of(ALONE, person("ana", budget=budget), person("ben"))


async def asked(talk: Conversation, number: int, asker: str = "ana") -> Outcome:
    return (await talk.ask(QUESTIONS[number], asker)).outcome


async def test_the_third_query_of_a_day_is_refused_and_the_next_day_it_runs() -> None:
    talk = talk_of(with_budget(Budget(queries=2)))
    assert [type(await asked(talk, number)) for number in (0, 1)] == [Answer, Answer]
    third = await asked(talk, 2)
    assert isinstance(third, Refusal)
    assert third.rule == "budget_person_queries"
    assert "(2 of 2)" in third.message
    assert "Mon 2 Nov, 00:00" in third.message
    assert limits_of(talk) == ["person_queries"]
    assert len(talk.warehouse.ran) == 2
    assert isinstance(await asked(talk, 2, "ben"), Answer)
    talk.clock.advance(DAY)
    assert isinstance(await asked(talk, 2), Answer)


async def test_rows_at_hand_answer_without_a_query_of_the_budget() -> None:
    talk = talk_of(with_budget(Budget(queries=1)))
    assert isinstance(await asked(talk, 0), Answer)
    assert isinstance(await asked(talk, 0), Answer)
    assert len(talk.warehouse.ran) == 1


async def test_rows_are_used_by_what_came_and_end_the_next_query() -> None:
    talk = talk_of(with_budget(Budget(rows=4)))
    assert [type(await asked(talk, number)) for number in (0, 1)] == [Answer, Answer]
    third = await asked(talk, 2)
    assert isinstance(third, Refusal)
    assert third.rule == "budget_person_rows"
    assert "(4 of 4)" in third.message


async def test_reading_has_a_price_where_the_policy_names_one() -> None:
    prices = ((DomainName("payments"), WarehousePrice(per_gigabyte=Decimal("0.25"))),)
    rules = BudgetRules(tenant=Budget(money=Decimal("1.99")), prices=prices)
    talk = talk_of(replace(policy_of(ALONE), budgets=rules), "USD")
    assert isinstance(await asked(talk, 0), Answer)
    second = await asked(talk, 1, "ben")
    assert isinstance(second, Refusal)
    assert second.rule == "budget_tenant_money"
    assert "(US$ 1.00 of US$ 1.99)" in second.message.replace("\N{NO-BREAK SPACE}", " ")


WARNINGS = {
    "processed amount by channel last month": "The asker’s queries for today are used up (1 of 1).",
    "monto procesado por canal el mes pasado": "Las consultas de hoy de quien pregunta están agotadas (1 de 1).",
    "обработанная сумма по каналам за прошлый месяц": "Запросы спросившего на сегодня исчерпаны (1 из 1).",
}


@pytest.mark.parametrize("question", WARNINGS)
async def test_the_card_says_that_the_query_does_not_fit_today(question: str) -> None:
    talk = talk_of(policy_of(SIGNED, person("ana", budget=Budget(queries=1))))
    before = await talk.proposed(question)
    assert before.budget_warning == ""
    account = Account(person=PrincipalId("ana"), tenant="console")
    used = Spending(once="x", run=RunId("x"), account=account, day=date(2026, 11, 1), amounts=Amounts(queries=1))
    await talk.deps.budgets.book(used)
    assert WARNINGS[question] in render_text(proposal_card(await talk.proposed(question)))


async def test_what_no_longer_fits_when_it_is_to_run_is_refused_whoever_signed() -> None:
    talk = talk_of(policy_of(SIGNED, person("ana", budget=Budget(queries=1))))
    first, second = await talk.proposed(QUESTIONS[0]), await talk.proposed(QUESTIONS[1])
    assert isinstance(await talk.decide(first), Answer)
    refused = await talk.decide(second)
    assert isinstance(refused, Refusal)
    assert refused.rule == "budget_person_queries"


async def test_a_wide_result_is_said_to_perhaps_not_fit_and_may_still_run() -> None:
    talk = talk_of(policy_of(SIGNED, person("ana", budget=Budget(rows=5))))
    proposal = await talk.proposed(QUESTIONS[0])
    assert isinstance(proposal, Proposal)
    assert proposal.budget_warning.startswith("This may not fit the asker’s rows for today (0 of 5 used)")
    assert isinstance(await talk.decide(proposal), Answer)


def test_a_day_begins_at_midnight_of_the_policys_zone() -> None:
    talk = talk_of(replace(policy_of(), budgets=BudgetRules(timezone="Pacific/Auckland")))
    day = budget_day(talk.deps)
    assert day.day == date(2026, 11, 2)
    assert day.resets_at.astimezone(UTC) == datetime(2026, 11, 2, 11, tzinfo=UTC)
    assert budget_day(talk_of(policy_of()).deps).timezone == "America/Lima"


@pytest.mark.parametrize(
    ("thread", "tenant"),
    [("slack:T1:C1:1.2", "slack:T1"), ("teams:7e4a:19:x@thread:m", "teams:7e4a"), ("console:desk", "console")],
)
def test_a_thread_belongs_to_a_tenant(thread: str, tenant: str) -> None:
    assert tenant_of(ThreadKey(thread)) == tenant
