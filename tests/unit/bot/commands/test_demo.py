from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from typer.testing import CliRunner

from bot import embedded
from bot.commands.demo import demo_app


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    embedded.stop(tmp_path)


def test_up_prints_the_urls_and_loads_again_only_for_other_parameters(folder: Path) -> None:
    october = ("up", "--end-date", "2026-10-31")
    lines = _run(folder, *october)
    urls = dict(line.split("=", 1) for line in lines)
    assert list(urls) == [
        "control",
        "cache",
        "payments",
        "payments_owner",
        "erp_finance",
        "erp_finance_owner",
        "scrap_prices",
        "scrap_prices_owner",
    ]
    assert _last_day(urls["payments"]) == "2026-10-31"
    loaded = _load_of(urls["payments"])

    assert _run(folder, *october) == lines
    assert _load_of(urls["payments"]) == loaded

    assert _run(folder, "up", "--end-date", "2026-09-15") == lines
    assert _last_day(urls["payments"]) == "2026-09-15"


def test_status_tells_what_runs_and_down_stops_it(folder: Path) -> None:
    embedded.start(folder)
    running = embedded.status(folder)
    assert _run(folder, "status") == [f"postgres={running.postgres}", f"valkey={running.valkey}"]
    assert _run(folder, "down") == []
    stopped = CliRunner().invoke(demo_app, ["status", "--folder", str(folder)])
    assert (stopped.exit_code, stopped.output.splitlines()) == (1, ["postgres=down", "valkey=down"])


def _run(folder: Path, *arguments: str) -> list[str]:
    result = CliRunner().invoke(demo_app, [*arguments, "--folder", str(folder)], catch_exceptions=False)
    assert result.exit_code == 0
    return result.output.splitlines()


def _last_day(url: str) -> str:
    return str(_one(url, "SELECT max(payment_date) FROM v_daily_payment_metrics"))


def _load_of(url: str) -> object:
    return _one(url, "SELECT oid FROM pg_namespace WHERE nspname = 'semantic'")


def _one(url: str, query: str) -> object:
    with psycopg.connect(url) as connection:
        row = connection.execute(query.encode()).fetchone()
    assert row is not None
    return row[0]
