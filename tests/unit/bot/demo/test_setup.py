from datetime import date
from pathlib import Path

import psycopg
import pytest

from bot import embedded
from bot.demo.parameters import DemoParameters
from bot.demo.setup import DemoLoadFailed, set_up
from bot.demo.state import read_state


def test_a_database_that_belongs_to_someone_else_is_an_operator_error_and_leaves_no_claim(tmp_path: Path) -> None:
    try:
        with psycopg.connect(embedded.start(tmp_path).postgres, autocommit=True) as connection:
            connection.execute("CREATE DATABASE payments")
        with pytest.raises(DemoLoadFailed, match="OperationalError"):
            set_up(tmp_path, DemoParameters(end_date=date(2026, 10, 31)))
        assert read_state(tmp_path) is None
    finally:
        embedded.stop(tmp_path)


def test_a_mariadb_that_does_not_start_leaves_every_domain_to_postgresql(tmp_path: Path) -> None:
    (tmp_path / "mariadb").write_text("not a folder", encoding="utf-8")
    try:
        state = set_up(tmp_path, DemoParameters(end_date=date(2026, 10, 31)))
        assert {domain.name: domain.dialect for domain in state.domains} == dict.fromkeys(
            ("payments", "erp_finance", "scrap_prices"), "postgres"
        )
        with psycopg.connect(state.domain("erp_finance").reader_url) as connection:
            assert connection.execute("SELECT max(period) FROM fin_actuals").fetchone() == ("2026-10",)
    finally:
        embedded.stop(tmp_path)
