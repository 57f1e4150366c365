from collections.abc import AsyncIterator

import pytest
from rich.console import Console

from agent.values.feedback import QuickEdit
from agent.values.outcome import Proposal
from agent.values.turn import CardAction
from bot.terminal.session import session
from tests.fakes.openai.replies import meaning, says
from tests.fakes.openai.server import ScriptedOpenAi, scripted_openai
from tests.scenario.approval import Desk
from tests.scenario.conftest import MakeSettings

MEDIAN_SQL = """
    SELECT channel, percentile_cont(0.5) WITHIN GROUP (ORDER BY processed_amount) AS median_amount
    FROM semantic.v_daily_payment_metrics
    WHERE payment_date >= DATE '2026-09-01' AND payment_date <= DATE '2026-09-30' GROUP BY channel
"""


@pytest.fixture
async def model() -> AsyncIterator[ScriptedOpenAi]:
    async with scripted_openai() as server:
        yield server


@pytest.fixture
async def desk(settings_of: MakeSettings, model: ScriptedOpenAi) -> AsyncIterator[Desk]:
    settings = settings_of(llm_base_url=f"{model.url}/v1", llm_model="scripted", llm_api_key="key")
    async with session(settings, Console(quiet=True)) as opened:
        yield Desk(session=opened)


async def test_a_compiled_proposal_becomes_written_sql_and_rules_change_that_on(
    desk: Desk, model: ScriptedOpenAi
) -> None:
    first = await desk.propose("processed amount by channel in September")
    free = meaning(kind="free_sql", title="Median daily amount by channel", follow_up=True)
    model.script("meaning", says(free))
    model.script("statement", says({"sql": MEDIAN_SQL}))
    written = await desk.change(first, "take the median per day of it rather")
    assert (written.spec, written.query.origin, written.revision) == (None, "model", 2)
    assert "percentile_cont" in written.query.sql.lower()
    calls = len(model.requests)

    limited = await desk.change(written, "only Visa, limit 2")
    assert "'Visa'" in limited.query.sql
    assert limited.query.sql != written.query.sql
    assert any("Visa" in change for change in limited.changes)
    assert len(model.requests) == calls

    back = await desk.change(await desk.change(limited, "undo"), "undo")
    assert back.fingerprint == first.fingerprint


async def test_what_a_model_changes_beside_the_wish_does_not_come_back(desk: Desk, model: ScriptedOpenAi) -> None:
    first = await desk.propose("processed amount by channel in September")
    planted = meaning(
        metrics=["processed_amount", "fees"],
        dimensions=["channel"],
        period="September 2026",
        limit=2,
        order_by="processed_amount",
        follow_up=True,
    )
    model.script("meaning", says(planted))
    second = await desk.change(first, "kindly cap whatever beyond 2 flumoxes")
    assert second.fingerprint == first.fingerprint
    assert second.spec == first.spec
    assert "more than you asked" in second.changes[0]


async def test_a_choice_in_a_form_changes_a_proposal_as_words_do(desk: Desk) -> None:
    first = await desk.propose("processed amount by channel in September")
    action = CardAction(
        verb="change",
        run=first.run,
        fingerprint=first.fingerprint,
        quick=QuickEdit(limit=3, period="last 7 days", dimensions=("region",), grain="none"),
    )
    step = await desk.session.press(action, "ana", desk.thread)
    assert step.stop is not None
    second = step.stop.outcome
    assert isinstance(second, Proposal)
    assert second.spec is not None
    assert (second.spec.dimensions, second.spec.limit) == (("region",), 3)
    assert second.spec.period is not None
    assert second.spec.period.words == "last_7_days"
    assert len(second.changes) == 5
