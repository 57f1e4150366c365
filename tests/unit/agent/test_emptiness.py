from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from agent.values.outcome import Answer, NoData
from tests.fakes.catalog import NamedMembers
from tests.fakes.warehouse import ScriptedResult, ScriptedWarehouse
from tests.unit.agent.conversing import ALONE, Conversation, person, policy_of
from tests.unit.agent.test_reuse import LIMA

DAILY = ("semantic.v_daily_payment_metrics", "payment_date")
MONTHLY = ("semantic.v_monthly_payment_metrics", "payment_month")
MEMBERS = {"channel": ("atm", "ecommerce", "mobile", "pos"), "brand": ("Amex", "Visa"), "region": ("Cusco", "Lima")}


def engine(rows: tuple[Any, ...] = ()) -> ScriptedWarehouse:
    return ScriptedWarehouse(
        otherwise=ScriptedResult(columns=(("channel", "text"), ("processed_amount", "numeric")), rows=rows),
        newest={DAILY: date(2026, 10, 31), MONTHLY: date(2026, 10, 1)},
        values={DAILY: ("2024-05-01", "2026-10-31"), MONTHLY: ("2024-05-01", "2026-10-01")},
    )


def talk(members: dict[str, tuple[str, ...]] | None = None, **given: Any) -> Conversation:
    return Conversation(engine(), members=NamedMembers(members or MEMBERS), **given)


async def found_nothing(question: str, **given: Any) -> str:
    outcome = (await talk(**given).ask(question)).outcome
    assert isinstance(outcome, NoData), outcome
    return outcome.message.replace("\N{NO-BREAK SPACE}", " ")


async def test_a_period_before_the_data_is_said_to_be() -> None:
    said = await found_nothing("processed amount by channel in March 2019")
    assert "The question ends on 31 Mar 2019, before the data begins (1 May 2024)." in said


async def test_a_period_after_the_data_is_said_to_be() -> None:
    said = await found_nothing("processed amount by channel from 5 to 8 November 2026")
    assert "The question starts on 5 Nov 2026, after the data ends (31 Oct 2026)." in said


async def test_a_member_that_is_stored_by_another_name_is_named_with_what_is_near() -> None:
    said = await found_nothing(
        "processed amount by brand last week only ecommerce", members={**MEMBERS, "channel": ("e-commerce", "pos")}
    )
    assert "The data has no Channel “ecommerce”; it has “e-commerce”." in said


async def test_what_is_near_but_hidden_from_the_asker_is_not_named() -> None:
    asked = "processed amount by brand last month only Lima and Cusco"
    stored = {**MEMBERS, "region": ("Cuzco", "Lima")}
    assert "it has “Cuzco”" in await found_nothing(asked, members=stored)
    restricted = policy_of(ALONE, person("ana", row_rules=(LIMA,)))
    said = await found_nothing(asked, members=stored, policy=restricted)
    assert "The data has no Region “Cusco”." in said
    assert "Cuzco" not in said


async def test_members_that_exist_have_no_rows_in_the_period() -> None:
    said = await found_nothing("processed amount by brand last week only ecommerce")
    assert "In the data, but without rows in this period: E-commerce." in said


async def test_members_that_exist_have_no_rows_together() -> None:
    said = await found_nothing("processed amount by region last week only ecommerce and Visa")
    assert "without rows together in this period" in said


async def test_a_condition_that_nothing_meets_is_named() -> None:
    said = await found_nothing("channels with processed amount over 10 million last week")
    assert "Nothing meets the condition: Processed amount > S/ 10,000,000.00." in said


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("monto procesado por canal en marzo de 2019", "antes del comienzo de los datos (1 may 2024)"),
        ("оборот по каналам за март 2019", "данные начинаются 1 мая 2024"),
    ],
)
async def test_the_reason_is_in_the_language_of_the_question(question: str, said: str) -> None:
    assert said in await found_nothing(question)


async def test_a_figure_that_is_none_says_why_too() -> None:
    rows = ((None,),)
    over = ScriptedWarehouse(
        otherwise=ScriptedResult(columns=(("processed_amount", "numeric"),), rows=rows),
        newest=engine().newest,
        values=engine().values,
    )
    outcome = (await Conversation(over, members=NamedMembers(MEMBERS)).ask("processed amount in March 2019")).outcome
    assert isinstance(outcome, Answer)
    assert any("before the data begins" in text for text in outcome.warnings)


async def test_rows_that_were_found_are_not_explained_away() -> None:
    found = Conversation(engine((("pos", Decimal(5)),)), members=NamedMembers(MEMBERS))
    outcome = (await found.ask("processed amount by channel last week only pos")).outcome
    assert isinstance(outcome, Answer)
    assert not any(doubt.key.startswith("empty_") for doubt in outcome.verification.doubts)


async def test_what_is_offered_instead_lies_where_there_is_data() -> None:
    outcome = (await talk().ask("processed amount by channel in March 2019")).outcome
    assert isinstance(outcome, NoData)
    assert [each.question for each in outcome.suggestions] == [
        "Processed amount by channel, last month",
        "Processed amount by channel, last 12 months",
    ]
