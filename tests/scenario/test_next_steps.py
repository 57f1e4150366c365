from collections.abc import AsyncIterator
from io import StringIO

import pytest
from openpyxl import load_workbook
from rich.console import Console

from agent.values.outcome import Answer, Clarification, Proposal, Reply
from agent.values.turn import CardAction
from bot.terminal.conversation import Approval, ask_once
from bot.terminal.session import Session, session
from cards.build.next_steps import drill_value
from tests.scenario.conftest import MakeSettings

APPROVE, LEAVE = Approval(kind="approve"), Approval(kind="leave")


@pytest.fixture
def screen() -> StringIO:
    return StringIO()


@pytest.fixture
async def opened(settings_of: MakeSettings, screen: StringIO) -> AsyncIterator[Session]:
    async with session(settings_of(), Console(file=screen, width=200)) as running:
        yield running


async def answered(opened: Session, question: str) -> Answer:
    outcome = (await ask_once(opened, question, role="ana", thread="t", approval=APPROVE)).outcome
    assert isinstance(outcome, Answer), outcome
    return outcome


async def said(opened: Session, text: str) -> object:
    return (await ask_once(opened, text, role="ana", thread="t", approval=LEAVE)).outcome


async def test_an_answer_is_drawn_anew_opened_up_explained_and_gone_on_from(opened: Session, screen: StringIO) -> None:
    first = await answered(opened, "processed amount by channel last month")
    await answered(opened, "transactions by region in September")
    assert "pie" in first.charts
    assert first.charts[-1] == "table"

    pie = await opened.press(CardAction(verb="chart_type", run=first.run, value="pie"), "ana", "t")
    assert pie.stop is not None
    drawn = pie.stop.outcome
    assert isinstance(drawn, Answer)
    assert drawn.chart is not None
    assert (drawn.chart.kind, drawn.result.run, drawn.query.sql) == ("pie", first.run, first.query.sql)

    drill = first.drills[0]
    press = await opened.press(CardAction(verb="drill_down", run=first.run, value=drill_value(drill)), "ana", "t")
    assert press.stop is not None
    proposed = press.stop.outcome
    assert isinstance(proposed, Proposal)
    assert proposed.spec is not None
    assert proposed.spec.dimensions == (drill.by,)
    assert proposed.spec.filters[-1].values == (drill.value,)
    assert proposed.spec.period == (first.spec.period if first.spec else None)

    explained = await opened.press(CardAction(verb="explain", run=first.run), "ana", "t")
    assert explained.stop is None
    assert first.source_label in screen.getvalue().rpartition("Processed amount by channel")[2]

    await opened.press(CardAction(verb="export", run=first.run), "bob", "t")
    assert set(opened.channel.files_of(first.run)) == {"chart", "workbook"}
    await opened.press(CardAction(verb="export", run=first.run), "ana", "t")
    files = opened.channel.files_of(first.run)
    [exported] = set(files) - {"chart", "workbook"}
    assert load_workbook(files[exported]).worksheets[0].max_row == 1 + first.result.row_count

    stranger = await opened.press(CardAction(verb="chart_type", run=first.run, value="pie"), "bob", "t")
    assert stranger.stop is None
    unknown = await opened.press(CardAction(verb="chart_type", run=first.run, value="rm -rf"), "ana", "t")
    assert unknown.stop is None


async def test_every_suggestion_of_an_answer_runs_as_it_stands(opened: Session) -> None:
    for question in (
        "approval rate by channel last 7 days",
        "comisiones por marca en octubre",
        "чарджбэки по брендам в 2026",
    ):
        first = await answered(opened, question)
        assert first.suggestions
        for suggestion in first.suggestions:
            again = await answered(opened, suggestion.question)
            assert again.unused_words == ()


async def test_of_several_waiting_proposals_a_message_changes_the_one_it_names_or_is_asked_which(
    opened: Session,
) -> None:
    fees = await said(opened, "fees by channel in October")
    declines = await said(opened, "new question: declines by response reason in October")
    assert isinstance(fees, Proposal)
    assert isinstance(declines, Proposal)

    named = await said(opened, "for the fees, only Visa")
    assert isinstance(named, Proposal)
    assert (named.run, named.revision) == (fees.run, 2)

    doubtful = await said(opened, "only Mastercard")
    assert isinstance(doubtful, Clarification)
    assert doubtful.slot == "relation"
    assert {option.value for option in doubtful.options} == {fees.run, declines.run, "new"}

    choice = CardAction(verb="choose", run=doubtful.run, value=declines.run)
    chosen = await opened.press(choice, "ana", "t")
    assert chosen.stop is not None
    changed = chosen.stop.outcome
    assert isinstance(changed, Proposal)
    assert (changed.run, changed.revision) == (declines.run, 2)
    assert changed.spec is not None
    assert changed.spec.filters[0].values == ("Mastercard",)
    assert (await opened.press(choice, "ana", "t")).stop is None


async def test_what_ran_is_told_without_running_anything(opened: Session) -> None:
    await answered(opened, "declines by brand in October, only ecommerce")
    for text, mention in (
        ("what did that query cost?", "estimated at cost"),
        ("how many tokens did it take?", "no tokens"),
        ("what filters are applied?", "E-commerce"),
        ("which brand had the most?", "Highest Declined"),
        ("what's the total?", "total of the 4 rows"),
    ):
        told = await said(opened, text)
        assert isinstance(told, Reply), (text, told)
        assert mention in told.text, told.text
