from collections.abc import AsyncIterator
from pathlib import Path

import psycopg
import pytest
from rich.console import Console

from agent.values.outcome import Answer, Clarification, Proposal, Refusal, Reply
from agent.values.turn import CardAction
from bot.terminal.conversation import Approval, ask_once, decide
from bot.terminal.session import Session, session
from tests.scenario.conftest import POLICY, MakeSettings

APPROVE, LEAVE = Approval(kind="approve"), Approval(kind="leave")
RATE = "What was the approval rate of the last seven days by channel?"
VAGUE = "amount by channel last month"


@pytest.fixture
def with_admin(tmp_path: Path) -> Path:
    text = POLICY.read_text(encoding="utf-8")
    admin = "  admin: {domains: [payments], may_approve: any, admin: true}\n"
    ada = "  - {id: ada, name: Ada, roles: [admin], console: ada}\n"
    path = tmp_path / "with_admin.yaml"
    path.write_text(text.replace("\npeople:", f"{admin}\npeople:").replace("\napproval:", f"{ada}\napproval:"))
    return path


@pytest.fixture
async def opened(settings_of: MakeSettings, with_admin: Path) -> AsyncIterator[Session]:
    async with session(settings_of(policy_file=with_admin), Console(quiet=True)) as running:
        yield running


async def _say(opened: Session, text: str, role: str = "ana", thread: str = "t") -> str:
    step = await opened.say(text, role, thread)
    assert step.stop is not None
    assert isinstance(step.stop.outcome, Reply)
    return step.stop.outcome.text


async def test_a_taught_word_becomes_a_stated_assumption_of_its_teacher_alone(opened: Session) -> None:
    said = await _say(opened, "remember that pesos means processed amount")
    assert "“pesos” means Processed amount" in said
    mine = await ask_once(opened, "pesos by channel last month", role="ana", thread="u", approval=LEAVE)
    assert isinstance(mine.outcome, Proposal)
    assert mine.outcome.spec is not None
    assert mine.outcome.spec.metrics == ("processed_amount",)
    assert "You told me that “pesos” means Processed amount." in mine.outcome.assumptions
    other = await ask_once(opened, "pesos by channel last month", role="bob", thread="v", approval=LEAVE)
    assert isinstance(other.outcome, Clarification)


async def test_what_is_remembered_is_listed_and_forgotten_in_three_languages(opened: Session) -> None:
    await _say(opened, "recuerda que plata significa monto procesado")
    await _say(opened, "запомни, что показывай 20 строк")
    assert "«plata» significa" in await _say(opened, "mi memoria")
    assert "Обычное число строк: 20" in await _say(opened, "моя память")
    assert "Olvidado: «plata»" in await _say(opened, "olvida 1")
    assert "plata" not in await _say(opened, "my memory")
    assert "Удалена 1 запись" in await _say(opened, "забудь всё")
    assert "I remember nothing of you" in await _say(opened, "my memory")
    assert "remember nothing" in await _say(opened, "my memory", role="bob")
