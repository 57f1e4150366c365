import json
from dataclasses import replace
from typing import Any

import pytest

from agent.errors import ModelMalformed, ModelRefused
from agent.linking.linker import Linker
from agent.modelling.sql_writer import Repair, SqlRequest, SqlWriter, is_mendable
from agent.values.governance import Finding, RuleId
from tests.fakes.catalog import FixedCatalog
from tests.fakes.model import ScriptedModel
from tests.unit.agent.understanding.asking import ANALYST, TODAY, payments, payments_only

REQUEST = SqlRequest(
    question="median fees", title="Median fees", domain=payments(), principal=ANALYST, language="en", today=TODAY
)


def finding(rule: RuleId, *, security: bool = True, **params: str) -> Finding:
    return Finding(rule=rule, severity="refuse", security=security, params=tuple(params.items()))


def writer(model: ScriptedModel) -> SqlWriter:
    return SqlWriter(model, Linker(FixedCatalog(payments_only())))


async def test_the_statement_is_what_the_model_wrote_without_its_end_mark() -> None:
    written = await writer(ScriptedModel(replies=[{"sql": " SELECT 1; "}])).write(REQUEST)
    assert written.sql == "SELECT 1"
    assert written.usage.llm_calls == 1


async def test_the_prompt_names_dialect_day_tables_and_definitions() -> None:
    model = ScriptedModel(replies=[{"sql": "SELECT 1"}])
    await writer(model).write(REQUEST)
    said = json.loads(model.prompts[0].material)
    assert (said["dialect"], said["today"], said["timezone"]) == ("postgres", "2026-11-01", "America/Lima")
    assert {"tables", "metrics"} <= set(said)
    assert "failed_sql" not in said


async def test_a_repair_has_the_statement_and_the_exact_findings() -> None:
    model = ScriptedModel(replies=[{"sql": "SELECT 1"}])
    failed = Repair(sql="SELECT x", findings=(finding(RuleId.TIME_FILTER, security=False, source="s", column="c"),))
    await writer(model).write(replace(REQUEST, repair=failed))
    said = json.loads(model.prompts[0].material)
    assert said["failed_sql"] == "SELECT x"
    assert said["findings"] == ["time_filter: s needs a period: limit c from a first day on."]


async def test_no_statement_is_a_refusal() -> None:
    with pytest.raises(ModelRefused):
        await writer(ScriptedModel(replies=[{"sql": "  "}])).write(REQUEST)


@pytest.mark.parametrize("reply", [{"query": "SELECT 1"}, {"sql": None}, {"sql": ["SELECT 1"]}])
async def test_a_wrong_form_is_malformed_after_two_attempts(reply: dict[str, Any]) -> None:
    with pytest.raises(ModelMalformed):
        await writer(ScriptedModel(replies=[reply, reply])).write(REQUEST)


@pytest.mark.parametrize(
    ("found", "mendable"),
    [
        (finding(RuleId.TIME_FILTER, security=False, source="s", column="c"), True),
        (finding(RuleId.UNPARSABLE, security=False), True),
        (finding(RuleId.NOT_RUNNABLE, security=False, error="UndefinedFunction"), True),
        (finding(RuleId.COLUMN_NOT_ALLOWED, column="made_up"), True),
        (finding(RuleId.COLUMN_NOT_ALLOWED, column='d."Made_Up"'), True),
        (finding(RuleId.COLUMN_NOT_ALLOWED, column="fee_amount"), False),
        (finding(RuleId.COLUMN_NOT_ALLOWED, column="d.FEE_AMOUNT"), False),
        (finding(RuleId.SOURCE_NOT_ALLOWED, source="made_up"), False),
        (finding(RuleId.SYSTEM_SCHEMA, source="pg_catalog.pg_user"), False),
        (finding(RuleId.READ_ONLY), False),
        (finding(RuleId.FUNCTION_NOT_ALLOWED, function="pg_sleep"), False),
    ],
)
def test_security_findings_are_final_but_for_columns_that_exist_nowhere(found: Finding, mendable: bool) -> None:
    assert is_mendable(found, payments()) is mendable
