from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from rich.console import Console

from agent.values.file import FileRefused
from agent.values.outcome import Answer, Proposal, Reply
from bot.given_files import GivenFile, taken_in
from bot.terminal.conversation import Approval, ask_once
from bot.terminal.report import report_of
from bot.terminal.session import Session, session
from tests.scenario.conftest import MakeSettings

APPROVE, LEAVE = Approval(kind="approve"), Approval(kind="leave")
SALES = "Fecha;Región;Canal;Importe\n" + "".join(
    f"{day:02}/{month:02}/2026;{region};{channel};1.{month:03},5{at}\n"
    for month in range(1, 11)
    for day in (3, 28)
    for at, (region, channel) in enumerate((("Lima", "Web"), ("Cusco", "Tienda"), ("Áncash", "Web")))
)


@asynccontextmanager
async def given_sales(settings_of: MakeSettings, folder: Path) -> AsyncIterator[Session]:
    path = folder / "ventas.csv"
    path.write_bytes(SALES.encode("latin-1"))
    async with taken_in(path, "es") as given:
        assert isinstance(given, GivenFile)
        async with session(settings_of(), Console(quiet=True), None, given) as opened:
            yield opened


async def test_a_file_is_asked_about_like_any_domain(settings_of: MakeSettings, tmp_path: Path) -> None:
    async with given_sales(settings_of, tmp_path) as opened:
        proposed = await ask_once(
            opened, "importe por región en octubre de 2026", role="ana", thread="t", approval=LEAVE
        )
        assert isinstance(proposed.outcome, Proposal)
        asked = await ask_once(
            opened, "importe por región en octubre de 2026", role="ana", thread="t", approval=APPROVE
        )
    report = report_of(asked)
    assert (report["status"], report["domain"], report["dialect"]) == ("answered", "file", "duckdb")
    assert sorted((region, round(amount, 2)) for region, amount in report["rows"]) == [
        ("Cusco", 2021.02), ("Lima", 2021.0), ("Áncash", 2021.04),
    ]  # fmt: skip
    assert asked.chart is not None
    assert asked.workbook is not None


async def test_the_governed_domains_stay_beside_the_file(settings_of: MakeSettings, tmp_path: Path) -> None:
    async with given_sales(settings_of, tmp_path) as opened:
        asked = await ask_once(
            opened, "approval rate by channel, last 7 days", role="ana", thread="t", approval=APPROVE
        )
    assert report_of(asked)["domain"] == "payments"


async def test_rows_of_a_file_are_redrawn_and_discussed(settings_of: MakeSettings, tmp_path: Path) -> None:
    async with given_sales(settings_of, tmp_path) as opened:
        await ask_once(opened, "importe por mes y por región en 2026", role="ana", thread="t", approval=APPROVE)
        talked = await ask_once(opened, "¿por qué subió?", role="ana", thread="t", approval=LEAVE)
    assert isinstance(talked.outcome, Reply)
    assert "oct 2026" in talked.outcome.text


async def test_without_the_file_its_thread_goes_on_with_what_is_governed(
    settings_of: MakeSettings, tmp_path: Path
) -> None:
    async with given_sales(settings_of, tmp_path) as opened:
        answered = await ask_once(opened, "importe en octubre de 2026", role="ana", thread="t", approval=APPROVE)
        assert isinstance(answered.outcome, Answer)
    async with session(settings_of(), Console(quiet=True)) as opened:
        asked = await ask_once(opened, "what sql did you run?", role="ana", thread="t", approval=LEAVE)
        again = await ask_once(opened, "importe en octubre de 2026", role="ana", thread="t", approval=LEAVE)
    assert isinstance(asked.outcome, Reply)
    assert "ventas" not in asked.outcome.text
    assert report_of(again)["domain"] == "payments"


async def test_the_database_of_a_file_goes_with_it(tmp_path: Path) -> None:
    path = tmp_path / "ventas.csv"
    path.write_bytes(SALES.encode("latin-1"))
    async with taken_in(path, "en") as given:
        assert isinstance(given, GivenFile)
        assert given.database.exists()
    assert not given.database.exists()


async def test_a_file_that_is_no_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.xlsx"
    path.write_bytes(b"PK\x03\x04broken")
    async with taken_in(path, "en") as given:
        assert given == FileRefused(reason="damaged")
