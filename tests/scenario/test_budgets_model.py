from collections.abc import AsyncIterator
from decimal import Decimal
from pathlib import Path

import pytest
from rich.console import Console

from agent.budgeting import budget_day
from bot.terminal.session import session
from semantic_catalog.model import DomainName
from tests.fakes.openai.replies import says
from tests.fakes.openai.server import ScriptedOpenAi, scripted_openai
from tests.scenario.conftest import POLICY, MakeSettings
from tests.scenario.test_model_conversation import HEALTH, MEDIAN, ODDLY_SAID, over, told


@pytest.fixture
async def model() -> AsyncIterator[ScriptedOpenAi]:
    async with scripted_openai() as server:
        yield server


async def test_over_its_tokens_of_the_day_a_person_is_answered_by_rules_and_told_why(
    settings_of: MakeSettings, model: ScriptedOpenAi, tmp_path: Path
) -> None:
    policy, agents = tmp_path / "policy.yaml", tmp_path / "agents.yaml"
    text = POLICY.read_text(encoding="utf-8")
    policy.write_text(text.replace("may_approve: any}", "may_approve: any, budgets: {tokens_per_day: 1000}}"))
    agents.write_text("currency: USD\ndefaults: {price_in: 10, price_out: 100}\n", encoding="utf-8")
    model.script("meaning", says(HEALTH, tokens_in=900, tokens_out=120))
    settings = settings_of(**over(model), policy_file=policy, agents_file=agents)
    async with session(settings, Console(quiet=True)) as running:
        assert (await told(running, ODDLY_SAID))["status"] == "answered"
        asked = await told(running, MEDIAN)
        day = budget_day(running.product.runner.desk.deps).day
        [(person, used)] = await running.product.stores.spent.by_person(day, [DomainName("payments")])
    assert asked["status"] == "needs_clarification"
    assert "tokens for today are used up (1,020 of 1,000, until" in str(asked)
    assert len(model.requests) == 1
    assert (person, used.queries, used.tokens, used.money) == ("ana", 1, 1_020, Decimal("0.021"))
