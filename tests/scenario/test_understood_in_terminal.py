from collections.abc import AsyncIterator
from decimal import Decimal
from pathlib import Path

import psycopg
import pytest
from rich.console import Console

from agent.values.outcome import Clarification, Proposal
from bot.demo.state import DomainData
from bot.terminal.conversation import Approval, ask_once
from bot.terminal.report import Asked, report_of
from bot.terminal.session import Session, session
from tests.scenario.conftest import settings_over

APPROVE, LEAVE = Approval(kind="approve"), Approval(kind="leave")
COPPER = """
    SELECT avg(value) FROM mart.price_facts
    WHERE is_blank = 0 AND item_name LIKE 'Лом меди%%' AND supplier = 'Сплав-21' AND sheet_period = '2026-01'
"""


@pytest.fixture
async def opened(
    fresh_database: str, valkey_url: str, erp_finance: DomainData, scrap_prices: DomainData, tmp_path: Path
) -> AsyncIterator[Session]:
    """A terminal session of two domains that is asked back once at most."""
    domains = {each.name: each.reader_url for each in (erp_finance, scrap_prices)}
    settings = settings_over(
        fresh_database, valkey_url, domains, tmp_path, policy_file=None, max_clarification_rounds=1
    )
    async with session(settings, Console(quiet=True)) as running:
        yield running


async def _ask(opened: Session, question: str, approval: Approval) -> Asked:
    return await ask_once(opened, question, role="analyst", thread="t", approval=approval)


async def test_a_family_of_items_and_a_supplier_without_its_hyphen_are_found(
    opened: Session, scrap_prices: DomainData
) -> None:
    report = report_of(await _ask(opened, "Покажи среднюю цену лома меди у Сплав 21 за январь", APPROVE))
    with psycopg.connect(scrap_prices.owner_url) as connection:
        (price,) = connection.execute(COPPER).fetchone() or (Decimal(0),)
    assert (report["status"], report["language"]) == ("answered", "ru")
    assert report["rows"] == [[pytest.approx(float(price))]]
    assert "is_blank" in report["sql"]
    assert report["spec"]["period"]["start"] == "2026-01-01"


async def test_a_margin_without_a_kind_or_a_period_is_asked_about_and_then_taken_as_said(opened: Session) -> None:
    asked = await _ask(opened, "average margin", LEAVE)
    assert isinstance(asked.outcome, Clarification)
    offered = [option.value for option in asked.outcome.options]
    assert offered[:2] == ["gross_margin_pct", "ebitda_margin"]
    # The one allowed question back is spent: the period is taken and listed.
    taken = await _ask(opened, "EBITDA margin", LEAVE)
    assert isinstance(taken.outcome, Proposal)
    report = report_of(taken)
    assert report["spec"]["metrics"] == ["ebitda_margin"]
    assert report["spec"]["period"]["start"] == "2026-10-01"
    assert len(report["assumptions"]) == 1
