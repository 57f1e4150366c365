from pathlib import Path

import pytest

from bot.settings import SettingsInvalid, load_settings


def test_reports_every_fault_at_once_without_its_value(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PORT", "not-a-port-7731")
    monkeypatch.setenv("PLANNER", "magic-7731")
    with pytest.raises(SettingsInvalid) as refused:
        load_settings()
    assert "PORT" in refused.value.detail
    assert "PLANNER" in refused.value.detail
    assert "7731" not in refused.value.detail


def test_an_empty_variable_means_the_default(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MAX_RESULT_ROWS", "")
    assert load_settings().analyst.max_result_rows == 500


def test_secrets_never_show_in_a_printed_setting(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SLACK_BOT_TOKEN", "xoxb-very-secret")
    assert "very-secret" not in repr(load_settings())
