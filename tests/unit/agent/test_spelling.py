from datetime import date

import pytest

from agent.linking.linker import Linker
from agent.modelling.sql_writer import SqlWriter
from agent.policy.model import Tiers
from agent.understanding.model_interpreter import ModelInterpreter
from agent.values.identity import RowRule
from agent.values.outcome import Proposal
from tests.fakes.catalog import FixedCatalog, NamedMembers
from tests.fakes.model import ScriptedModel
from tests.fakes.openai.replies import meaning
from tests.fakes.warehouse import ScriptedResult, ScriptedWarehouse
from tests.unit.agent.conversing import Conversation, person, policy_of
from tests.unit.agent.test_reuse import LIMA
from tests.unit.agent.understanding.asking import payments_only

DAILY = "semantic.v_daily_payment_metrics"
STORED: dict[str, tuple[str, ...]] = {
    "channel": ("ecommerce", "pos"),
    "brand": ("Amex", "Visa"),
    "region": ("Arequipa", "Lima"),
    "mcc": ("5411", "5812"),
}


async def proposed(where: str, *rules: RowRule) -> Proposal:
    """What is proposed where a model writes those conditions."""
    sql = f"SELECT sum(d.fee_amount) AS fees FROM {DAILY} AS d WHERE d.payment_date = DATE '2026-10-05' AND {where}"
    source, members = FixedCatalog(payments_only()), NamedMembers(STORED)
    linker = Linker(source)
    model = ScriptedModel(replies=[meaning(kind="free_sql", title="Median"), {"sql": sql}])
    talk = Conversation(
        ScriptedWarehouse(otherwise=ScriptedResult(), newest={(DAILY, "payment_date"): date(2026, 10, 31)}),
        policy_of(Tiers(model="asker"), person("ana", row_rules=rules)),
        reader=ModelInterpreter(model, source, members, linker),
        writer=SqlWriter(model, linker),
        members=members,
    )
    return await talk.proposed("median of something")


@pytest.mark.parametrize(
    ("where", "written", "typed"),
    [
        ("d.channel = 'Ecommerce'", "'ecommerce'", "Ecommerce"),
        ("d.channel = 'e-commerce'", "'ecommerce'", "e-commerce"),
        ("d.brand IN ('VISA', 'Amex')", "'Visa'", "VISA"),
        ("d.brand = 'American Express'", "'Amex'", "American Express"),
    ],
)
async def test_a_member_is_written_as_it_is_stored_and_the_card_says_so(where: str, written: str, typed: str) -> None:
    proposal = await proposed(where)
    assert written in proposal.query.sql
    assert f"'{typed}'" not in proposal.query.sql
    assert f"“{typed}” is written in the SQL as it is stored: “{written.strip(chr(39))}”." in proposal.assumptions


@pytest.mark.parametrize("where", ["d.channel = 'pos'", "d.channel = 'kiosk'", "d.channel <> 'Ecommerce'"])
async def test_what_is_stored_unknown_or_left_out_stays_as_it_is(where: str) -> None:
    proposal = await proposed(where)
    assert where.rpartition(" ")[2] in proposal.query.sql
    assert len(proposal.assumptions) == 1


async def test_nothing_is_corrected_to_what_the_asker_may_not_see() -> None:
    proposal = await proposed("d.region = 'AREQUIPA'", LIMA)
    assert "Arequipa" not in f"{proposal.query.sql}{proposal.assumptions}"
