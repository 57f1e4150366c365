from datetime import date
from pathlib import Path

import pytest

from bot.demo.parameters import DemoParameters
from bot.demo.state import DemoNotReady, DemoState, DomainData, demo_state, forget_state, read_state, write_state

STATE = DemoState(
    control_url="postgresql://control_owner@/control?host=/somewhere",
    cache_url="unix:///somewhere/valkey.sock?db=0",
    domains=(
        DomainData(name="payments", reader_url="postgresql://reader@/x", owner_url="postgresql://owner@/x"),
        DomainData(name="books", reader_url="mysql://reader@/x", owner_url="mysql://owner@/x", dialect="mysql"),
    ),
    parameters=DemoParameters(end_date=date(2026, 10, 31), seed=8, scale=2),
    generator="abc",
)


def test_a_written_state_is_read_back_whole(tmp_path: Path) -> None:
    write_state(tmp_path, STATE)
    assert demo_state(tmp_path) == STATE
    assert demo_state(tmp_path).end_date == date(2026, 10, 31)


def test_a_folder_without_a_demo_is_an_operator_error_that_names_the_command(tmp_path: Path) -> None:
    with pytest.raises(DemoNotReady, match="countersign demo up"):
        demo_state(tmp_path)


def test_a_forgotten_state_is_gone(tmp_path: Path) -> None:
    write_state(tmp_path, STATE)
    forget_state(tmp_path)
    assert read_state(tmp_path) is None


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"control_url": "x"'])
def test_a_state_of_another_version_counts_as_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "demo.json").write_text(text, encoding="utf-8")
    assert read_state(tmp_path) is None


def test_a_domain_that_was_not_loaded_is_an_operator_error() -> None:
    assert STATE.domain("payments").owner_url == "postgresql://owner@/x"
    with pytest.raises(DemoNotReady, match="erp_finance"):
        STATE.domain("erp_finance")
