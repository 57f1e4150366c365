from collections.abc import AsyncIterator

import pytest
from openpyxl import load_workbook
from rich.console import Console

from agent.values.outcome import Answer, Proposal, Reply
from bot.terminal.conversation import Approval, ask_once
from bot.terminal.report import Asked, report_of
from bot.terminal.session import Session, session
from tests.scenario.conftest import MakeSettings

APPROVE, LEAVE = Approval(kind="approve"), Approval(kind="leave")


@pytest.fixture
async def opened(settings_of: MakeSettings) -> AsyncIterator[Session]:
    async with session(settings_of(), Console(quiet=True)) as running:
        yield running


async def _ask(opened: Session, question: str, approval: Approval = APPROVE) -> Asked:
    return await ask_once(opened, question, role="ana", thread="t", approval=approval)


async def test_rows_at_hand_are_projected_without_another_query(opened: Session) -> None:
    history = await _ask(opened, "monthly processed amount, last 24 months")
    asked = await _ask(opened, "project it for the next 6 months", LEAVE)
    report = report_of(asked)
    assert (report["status"], report["turn_type"], report["row_count"]) == ("answered", "forecast", 30)
    assert history.table is not None
    assert [row[:2] for row in report["rows"][:24]] == [row[:2] for row in report_of(history)["rows"]]
    ahead = ["2026-11-01", "2026-12-01", "2027-01-01", "2027-02-01", "2027-03-01", "2027-04-01"]
    assert [row[0] for row in report["rows"][24:]] == ahead
    for row in report["rows"][24:]:
        forecast, low_80, high_80, low_95, high_95 = row[2:]
        assert low_95 <= low_80 <= forecast <= high_80 <= high_95


async def test_a_forecast_comes_with_its_intervals_in_picture_and_workbook(opened: Session) -> None:
    await _ask(opened, "monthly processed amount, last 24 months")
    asked = await _ask(opened, "proyéctalo 3 meses más")
    assert asked.chart is not None
    assert asked.workbook is not None
    assert isinstance(asked.outcome, Answer)
    assert asked.outcome.chart is not None
    assert [level for _, _, level in asked.outcome.chart.intervals] == ["95", "80"]
    headers = [cell.value for cell in load_workbook(asked.workbook).worksheets[0][1]]
    assert headers[2:] == ["Pronóstico", "Mínimo 80 %", "Máximo 80 %", "Mínimo 95 %", "Máximo 95 %"]


async def test_a_forecast_out_of_the_blue_asks_for_its_history_first(opened: Session) -> None:
    proposed = await _ask(opened, "прогноз оборота на 3 месяца", LEAVE)
    assert isinstance(proposed.outcome, Proposal)
    answered = report_of(await _ask(opened, "прогноз оборота на 3 месяца"))
    assert (answered["status"], answered["row_count"], answered["turn_type"]) == ("answered", 27, "forecast")
    assert answered["narrative"].startswith("Оборот, прогноз на янв. 2027")


async def test_members_are_forecast_in_total_over_a_history_long_enough(opened: Session) -> None:
    await _ask(opened, "volumen procesado mensual por marca, últimos 6 meses")
    proposed = await _ask(opened, "proyecta el total 3 meses", LEAVE)
    assert isinstance(proposed.outcome, Proposal)
    assert "brand" not in proposed.outcome.query.sql


async def test_five_points_are_refused_in_words(opened: Session) -> None:
    asked = await _ask(opened, "forecast of fees by month from June to October 2026")
    assert isinstance(asked.outcome, Reply)
    assert "months with a value: 5, and at least 12 are needed" in asked.outcome.text
