import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import psycopg
import pytest
from rich.console import Console

from agent.values.outcome import Answer, Clarification, Proposal, Refusal, Rejected, Reply
from agent.values.turn import CardAction
from bot.terminal.conversation import Approval, ask_once, decide
from bot.terminal.session import Session, session
from tests.scenario.conftest import POLICY, MakeSettings
from tests.scenario.test_approval_outages import ENDLESS, unbounded
from tests.scenario.waiting import eventually

APPROVE, LEAVE = Approval(kind="approve"), Approval(kind="leave")
RATE = "What was the approval rate of the last seven days by channel?"
VAGUE = "amount by channel last month"
_EVERY_TABLE = """
    SELECT schemaname, tablename FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')
"""


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


async def test_what_is_forgotten_counts_no_longer_in_a_question_that_is_still_open(opened: Session) -> None:
    await _say(opened, "remember that pesos means processed amount")
    asked = await ask_once(opened, "pesos by channel", role="ana", thread="t", approval=LEAVE)
    assert isinstance(asked.outcome, Clarification)
    assert asked.outcome.slot == "period"
    await _say(opened, "forget everything", thread="u")
    answered = await opened.press(CardAction(verb="choose", run=asked.outcome.run, value="last month"), "ana", "t")
    assert answered.stop is not None
    assert isinstance(answered.stop.outcome, Clarification)
    assert answered.stop.outcome.slot == "metric"


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


async def test_an_answered_question_back_is_remembered_when_the_asker_says_so(opened: Session) -> None:
    assert "nothing to remember" in await _say(opened, "remember this")
    asked = await ask_once(opened, "rate by channel last month", role="ana", thread="t", approval=LEAVE)
    assert isinstance(asked.outcome, Clarification)
    chosen = next(option.value for option in asked.outcome.options if option.value == "decline_rate")
    await opened.press(CardAction(verb="choose", run=asked.outcome.run, value=chosen), "ana", "t")
    assert "I remember nothing of you" in await _say(opened, "my memory", thread="u")
    assert "“rate” means Decline rate" in await _say(opened, "remember this")
    again = await ask_once(opened, "rate by brand last month", role="ana", thread="v", approval=LEAVE)
    assert isinstance(again.outcome, Proposal)
    assert "You told me that “rate” means Decline rate." in again.outcome.assumptions


async def test_only_the_askers_thumbs_up_confirms_what_an_answer_took_their_words_for(opened: Session) -> None:
    asked = await ask_once(opened, "rate by channel last month", role="ana", thread="t", approval=LEAVE)
    assert isinstance(asked.outcome, Clarification)
    step = await opened.press(CardAction(verb="choose", run=asked.outcome.run, value="take_rate"), "ana", "t")
    assert step.stop is not None
    assert isinstance(step.stop.outcome, Proposal)
    done = await decide(opened, step.stop.outcome, role="ana", thread="t", approval=APPROVE)
    assert done.stop is not None
    assert isinstance(done.stop.outcome, Answer)
    run = done.stop.outcome.run
    await opened.press(CardAction(verb="thumbs_up", run=run), "bob", "t")
    await opened.press(CardAction(verb="thumbs_down", run=run), "ana", "t")
    assert "I remember nothing of you" in await _say(opened, "my memory")
    assert "I remember nothing of you" in await _say(opened, "my memory", role="bob")
    await opened.press(CardAction(verb="thumbs_up", run=run), "ana", "t")
    assert "“rate” means Take rate" in await _say(opened, "my memory")


async def test_a_fresh_start_leaves_nothing_to_follow_up_on(opened: Session) -> None:
    await ask_once(opened, RATE, role="ana", thread="t", approval=APPROVE)
    follow_up = await ask_once(opened, "and by brand", role="ana", thread="t", approval=LEAVE)
    assert isinstance(follow_up.outcome, Proposal)
    assert "1 question stopped" in await _say(opened, "stop")
    assert "no longer counts" in await _say(opened, "new")
    alone = await ask_once(opened, "and by brand", role="ana", thread="t", approval=LEAVE)
    assert not isinstance(alone.outcome, Proposal | Answer)


async def test_history_lists_ones_own_questions_and_asks_them_again(opened: Session) -> None:
    await ask_once(opened, RATE, role="ana", thread="t", approval=APPROVE)
    await ask_once(opened, "declines by reason last month", role="bob", thread="w", approval=LEAVE)
    told = await _say(opened, "historial", thread="v")
    assert f"1. {RATE} — respondida" in told
    assert "declines" not in told
    again = await opened.say("repite 1", "ana", "v")
    assert again.stop is not None
    assert isinstance(again.stop.outcome, Proposal)
    waiting = await _say(opened, "my approvals", thread="v")
    assert waiting.count("open until") == 2
    assert "Nothing waits" in await _say(opened, "my approvals", role="bob")


async def test_stopping_withdraws_what_waits_in_this_thread_only(opened: Session) -> None:
    here = await ask_once(opened, RATE, role="ana", thread="t", approval=LEAVE)
    there = await ask_once(opened, RATE, role="ana", thread="v", approval=LEAVE)
    assert "1 question stopped" in await _say(opened, "stop")
    assert "Nothing of yours" in await _say(opened, "stop")
    runs = opened.product.stores.runs
    found = [await runs.get(asked.outcome.run) for asked in (here, there)]
    assert [record.status for record in found if record] == ["rejected", "awaiting_approval"]
    assert isinstance(there.outcome, Proposal)
    assert isinstance(here.outcome, Proposal)
    assert (await decide(opened, here.outcome, role="ana", thread="t", approval=APPROVE)).stop is None
    assert "1 question stopped" in await _say(opened, "stop", thread="a-thread-of-its-own")


def _everything_in(url: str) -> dict[str, str]:
    with psycopg.connect(url) as connection:
        return {
            name: str(connection.execute(f"SELECT * FROM {schema}.{name}".encode()).fetchall())
            for schema, name in connection.execute(_EVERY_TABLE).fetchall()
        }


def _is_told_in(text: str) -> bool:
    return "approval rate" in text.lower() or "too slow" in text


async def test_a_forgotten_person_leaves_only_the_audit_log(opened: Session) -> None:
    await _say(opened, "remember that plata means processed amount")
    answered = await ask_once(opened, RATE, role="ana", thread="t", approval=APPROVE)
    await ask_once(opened, "declines by reason last month", role="bob", thread="t", approval=LEAVE)
    await ask_once(opened, RATE, role="ana", thread="v", approval=LEAVE)
    await opened.press(CardAction(verb="thumbs_down", run=answered.outcome.run, text="too slow"), "ana", "t")
    assert "the record of who did what" in await _say(opened, "forget me")
    assert "Processed amount" in await _say(opened, "my memory")
    told = await _say(opened, "забудь меня сейчас")
    assert "Вопросы: 2" in told
    assert "Память: 1" in told
    texts = _everything_in(opened.product.addresses.control)
    assert "declines by reason" in texts["runs"]
    # Bob's question still waits, in a thread that had been asked more before.
    assert {name for name, text in texts.items() if _is_told_in(text)} == {"checkpoint_blobs"}
    await _say(opened, "stop", role="bob")
    texts = _everything_in(opened.product.addresses.control)
    assert {name for name, text in texts.items() if _is_told_in(text)} == set()
    assert {name for name, text in texts.items() if "'ana'" in text} == {"audit", "budget_entries"}
    entries = [entry async for entry in opened.product.stores.audit.entries()]
    assert {"asked", "answered", "person_forgotten"} <= {entry.event for entry in entries}
    assert "approval rate" not in str(entries).lower()
    assert await opened.product.stores.audit.verify() is None
    assert "have not asked anything" in await _say(opened, "my history")


async def test_a_paused_domain_is_not_read_until_it_is_resumed(opened: Session) -> None:
    before = await ask_once(opened, RATE, role="ana", thread="t", approval=LEAVE)
    assert isinstance(before.outcome, Proposal)
    assert "Only an administrator" in await _say(opened, "admin pause payments")
    assert "is paused" in await _say(opened, "admin pause payments", role="ada")
    asked = await ask_once(opened, RATE, role="ana", thread="v", approval=LEAVE)
    assert isinstance(asked.outcome, Refusal)
    assert asked.outcome.rule == "domain_paused"
    approved = await decide(opened, before.outcome, role="ana", thread="t", approval=APPROVE)
    assert approved.stop is not None
    assert isinstance(approved.stop.outcome, Refusal)
    assert "open again" in await _say(opened, "admin resume payments", role="ada")
    after = await ask_once(opened, RATE, role="ana", thread="v", approval=APPROVE)
    assert isinstance(after.outcome, Answer)


async def test_the_administrator_sees_who_asked_closes_proposals_and_checks_limits(opened: Session) -> None:
    asked = await ask_once(opened, RATE, role="ana", thread="t", approval=LEAVE)
    await ask_once(opened, RATE, role="ana", thread="v", approval=APPROVE)
    who = await _say(opened, "admin who asked what", role="ada")
    assert who.count("Ana") == 2
    assert "approval rate" not in who.lower()
    used = await _say(opened, "admin budgets", role="ada")
    assert "Ana" in used
    assert "30" in used
    assert "is closed" in await _say(opened, f"admin expire {asked.outcome.run}", role="ada")
    assert "No proposal" in await _say(opened, f"admin expire {asked.outcome.run}", role="ada")
    assert "No language model" in await _say(opened, "admin models check", role="ada")
    assert "read again" in await _say(opened, "admin reload catalog", role="ada")
    assert "read again" in await _say(opened, "admin reload policy", role="ada")
    assert "Файл моделей перечитан" in await _say(opened, "админ обновить модели", role="ada")
    assert "admin pause" in await _say(opened, "admin", role="ada")
    entries = [entry async for entry in opened.product.stores.audit.entries()]
    assert sum(entry.event == "admin" and entry.by == "ada" for entry in entries) == 9


async def test_help_names_only_what_the_person_may_see(opened: Session) -> None:
    told = await _say(opened, "ayuda", role="bob")
    assert "recuerda que … significa …" in told
    assert "Tasa de aprobación" in told
    assert "admin" not in told
    assert "admin" in await _say(opened, "ayuda", role="ada")
    assert "What I remember of you" in await _say(opened, "home", role="ada")


async def test_a_running_query_is_stopped_by_a_word(settings_of: MakeSettings, tmp_path: Path) -> None:
    async with unbounded(settings_of, tmp_path) as desk:
        proposal = await desk.change(await desk.propose(RATE), ENDLESS)
        running = asyncio.create_task(desk.press("approve", proposal))
        await eventually(lambda: "decided" in desk.events()[-1:] or None, "the decision")
        await asyncio.sleep(0.5)
        assert "Nothing of yours" in await _say(desk.session, "stop", role="bob")
        assert "1 pregunta detenida" in await _say(desk.session, "parar")
        stopped = await running
        assert isinstance(stopped, Rejected)
        assert stopped.kind == "cancel"
