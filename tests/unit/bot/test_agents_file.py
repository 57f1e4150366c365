from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from bot.agents_file import Agents, AgentsFileInvalid, read_agents
from bot.settings import ModelSettings
from tests.architecture.sources import ROOT


def settings(**changes: Any) -> ModelSettings:
    return ModelSettings(_env_file=None, **{"agents_file": ROOT / "config" / "agents.yaml", **changes})


def written(tmp_path: Path, text: str, **changes: Any) -> Agents:
    path = tmp_path / "agents.yaml"
    path.write_text(text, encoding="utf-8")
    return read_agents(settings(agents_file=path, **changes))


def fault(tmp_path: Path, text: str, **changes: Any) -> str:
    with pytest.raises(AgentsFileInvalid) as raised:
        written(tmp_path, text, **changes)
    return raised.value.detail


def test_the_packaged_file_names_no_model_so_rules_work_alone() -> None:
    assert read_agents(settings()).profiles == ()


def test_one_model_is_for_reading_and_writing_sql_only() -> None:
    agents = read_agents(settings(llm_model="gpt-x"))
    assert [(each.agent, each.model) for each in agents.profiles] == [("understanding", "gpt-x"), ("sql", "gpt-x")]


def test_each_agent_takes_its_preset() -> None:
    agents = read_agents(settings(llm_model="gpt-x"))
    quick, careful = agents.profile("understanding"), agents.profile("sql")
    assert quick is not None
    assert careful is not None
    assert (quick.timeout_seconds, careful.timeout_seconds) == (30, 60)
    assert careful.context_tokens > quick.context_tokens


def test_the_environment_wins_over_the_file() -> None:
    agents = read_agents(
        settings(
            llm_model="a", sql_model="b", verifier_model="c", explanation_model="d",
            llm_base_url="http://localhost:11434/v1", llm_provider="ollama", llm_api_key="k",
        )
    )  # fmt: skip
    assert {each.agent: each.model for each in agents.profiles} == {
        "understanding": "a", "sql": "b", "verifier": "c", "explanation": "d",
    }  # fmt: skip
    assert {(each.provider, each.base_url, each.api_key) for each in agents.profiles} == {
        ("ollama", "http://localhost:11434/v1", "k")
    }


def test_own_parameters_win_over_the_preset_and_the_defaults(tmp_path: Path) -> None:
    agents = written(
        tmp_path,
        """
        defaults: {model: m, retries: 5, temperature: 1, stream: true}
        presets: {calm: {retries: 4, temperature: 0.5}}
        agents: {sql: {preset: calm, temperature: null}}
        """,
    )
    sql = agents.profile("sql")
    assert sql is not None
    assert (sql.model, sql.retries, sql.temperature, sql.stream) == ("m", 4, None, True)


def test_without_a_file_built_in_values_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    agents = read_agents(ModelSettings(_env_file=None, llm_model="m"))
    assert [each.model for each in agents.profiles] == ["m", "m"]


def test_a_file_that_was_named_has_to_be_there(tmp_path: Path) -> None:
    with pytest.raises(AgentsFileInvalid):
        read_agents(settings(agents_file=tmp_path / "missing.yaml"))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("agents: {poet: {model: m}}", "agents.poet"),
        ("agents: {sql: {modle: m}}", "agents.sql.modle"),
        ("defaults: {retries: many}", "defaults.retries"),
        ("defaults: {provider: magic}", "defaults.provider"),
        ("defaults: {model: m, preset: none_such}", "none_such"),
        ("defaults: {model: m, base_url: 'ftp://x'}", "base_url"),
        ("defaults: {model: m, provider: azure}", "api_version"),
        ("defaults: {model: m, context_tokens: 2000, output_tokens: 2000}", "output_tokens"),
        ("embeddings: {provider: openai}", "embeddings"),
        ("agents: [", "no YAML"),
    ],
)
def test_every_fault_is_named(tmp_path: Path, text: str, named: str) -> None:
    assert named in fault(tmp_path, text)


def test_several_faults_are_told_at_once(tmp_path: Path) -> None:
    told = fault(tmp_path, "defaults: {retries: -1, timeout_seconds: 0}\nagents: {poet: {}}")
    assert all(each in told for each in ("defaults.retries", "defaults.timeout_seconds", "agents.poet"))


def test_prices_are_read_with_the_currency_that_they_are_in(tmp_path: Path) -> None:
    text = "currency: EUR\npresets: {quick: {price_in: 0.5}}\nagents: {sql: {preset: quick, price_out: 2}}\n"
    agents = written(tmp_path, text, llm_model="m")
    sql, reader = agents.profile("sql"), agents.profile("understanding")
    assert sql is not None
    assert reader is not None
    assert (agents.currency, sql.price_in, sql.price_out) == ("EUR", Decimal("0.5"), Decimal(2))
    assert (reader.price_in, reader.price_out) == (Decimal(0), Decimal(0))


def test_prices_need_a_currency(tmp_path: Path) -> None:
    assert "no currency is named" in fault(tmp_path, "agents: {sql: {price_in: 1}}\n", llm_model="m")
