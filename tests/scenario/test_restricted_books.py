from collections.abc import AsyncIterator
from decimal import Decimal
from io import StringIO

import pytest
from rich.console import Console

from agent.values.outcome import Answer, Clarification, NoData, Outcome, Proposal, Refusal
from bot.demo.state import DomainData
from bot.terminal.session import session
from tests.scenario.approval import Desk
from tests.scenario.conftest import MakeSettings

JOINED = "FROM fin_actuals AS a JOIN trm_accounts AS t ON a.account = t.account"
BY_LINE = f"SELECT t.statement_line, a.cebe, SUM(a.amount * t.sign) AS amount {JOINED}"
BY_LINE += " WHERE a.period BETWEEN '2026-01' AND '2026-10' GROUP BY t.statement_line, a.cebe"
MARGIN = "margen bruto de este año por cebe"


@pytest.fixture
def screen() -> StringIO:
    return StringIO()


@pytest.fixture
async def desk(
    settings_of: MakeSettings, payments: DomainData, erp_finance: DomainData, screen: StringIO
) -> AsyncIterator[Desk]:
    """The demo's people and policy over its books."""
    urls = {"payments": payments.reader_url, "erp_finance": erp_finance.reader_url}
    settings = settings_of(warehouse_urls=urls, policy_file=None)
    async with session(settings, Console(file=screen, width=200)) as opened:
        yield Desk(session=opened)


async def ask(desk: Desk, question: str, role: str) -> Outcome:
    step = await desk.session.say(question, role, desk.thread)
    assert step.stop is not None
    return step.stop.outcome


async def rows_of(desk: Desk, answer: Outcome | None) -> list[tuple[object, ...]]:
    assert isinstance(answer, Answer), answer
    return list((await desk.session.rows(answer.result)).rows)


async def test_a_metric_made_of_hidden_rows_is_refused_before_any_sql_and_the_nearest_is_offered(desk: Desk) -> None:
    refusal = await ask(desk, "EBITDA de este año por cebe", "finance_manager")
    assert isinstance(refusal, Refusal)
    assert refusal.rule == "metric_restricted"
    assert "Costo de mano de obra" in refusal.message
    assert "Margen bruto" in refusal.suggestions[0].label
    assert set(desk.events()) == {"asked", "understood", "refused", "delivered"}


async def test_what_may_be_seen_is_answered_and_the_card_says_whose_rows_they_are(desk: Desk, screen: StringIO) -> None:
    proposal = await desk.propose(MARGIN, "finance_manager")
    assert "Solo Panadería y Lácteos; Sin cuentas de mano de obra" in screen.getvalue()
    rows = await rows_of(desk, await desk.press("approve", proposal, role="finance_manager"))
    assert {row[0] for row in rows} == {"CB100", "CB110"}


async def test_who_has_no_books_is_refused_before_any_sql(desk: Desk) -> None:
    refusal = await ask(desk, "EBITDA de este año por cebe", "viewer")
    assert isinstance(refusal, Refusal)
    assert refusal.rule == "domain_not_permitted"
    assert "proposed" not in desk.events()


async def test_sql_edited_by_hand_reads_no_hidden_row_and_the_card_says_so(desk: Desk, screen: StringIO) -> None:
    proposal = await desk.propose(MARGIN, "finance_manager")
    screen.truncate(0)
    edited = await desk.change(proposal, BY_LINE, "finance_manager")
    assert "Sin cuentas de mano de obra" in screen.getvalue()
    rows = await rows_of(desk, await desk.press("approve", edited, role="finance_manager"))
    assert {row[0] for row in rows} == {
        "Revenue", "Cost of Sales", "Operating Expenses", "Depreciation", "Interest", "Taxes"
    }  # fmt: skip
    assert {row[1] for row in rows} == {"CB100", "CB110"}


async def test_sql_edited_by_hand_for_hidden_rows_finds_none_and_does_not_say_that_there_are_none(desk: Desk) -> None:
    proposal = await desk.propose(MARGIN, "finance_manager")
    only = BY_LINE.replace("WHERE", "WHERE t.statement_line = 'Labour Costs' AND")
    edited = await desk.change(proposal, only, "finance_manager")
    nothing = await desk.press("approve", edited, role="finance_manager")
    assert isinstance(nothing, NoData)
    assert "entre las que puedes ver" in nothing.message


@pytest.mark.parametrize("account", ["621100", "999999"])
async def test_a_hidden_account_is_as_unknown_as_one_that_there_is_not(desk: Desk, account: str) -> None:
    asked = await ask(desk, f"monto real de la cuenta {account} de este año", "finance_manager")
    assert isinstance(asked, Clarification)
    assert not any(option.label.startswith("62") for option in asked.options)


async def test_sensitive_figures_need_a_second_person_and_the_card_says_why(desk: Desk, screen: StringIO) -> None:
    proposal = await desk.propose("labour cost by profit centre this year", "analyst")
    assert (proposal.risk.level, proposal.risk.tier) == ("sensitive", "owner")
    assert "sensitive figures" in screen.getvalue()
    assert await desk.press("approve", proposal, role="analyst") is None
    rows = await rows_of(desk, await desk.press("approve", proposal, role="admin"))
    assert len(rows) == 6
    assert all(isinstance(row[1], Decimal | float) for row in rows)


async def test_sql_edited_to_read_sensitive_figures_needs_a_second_person_too(desk: Desk) -> None:
    proposal = await desk.propose("gross margin by profit centre this year", "analyst")
    assert proposal.risk.tier == "asker"
    edited = await desk.change(proposal, BY_LINE, "analyst")
    assert isinstance(edited, Proposal)
    assert edited.risk.tier == "owner"
    assert edited.risk.reasons[0] == "sensitive_metric"
