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
