import asyncio
from collections.abc import AsyncIterator

import pytest
from typer.testing import CliRunner, Result

from bot.cli import create_cli
from tests.architecture.sources import ROOT
from tests.fakes.openai.replies import Fails, Reply, says
from tests.fakes.openai.server import ScriptedOpenAi, scripted_openai

RIGHT = says({"echo": "ready", "total": 10, "parts": [2, 3, 5]})


@pytest.fixture
async def server() -> AsyncIterator[ScriptedOpenAi]:
    async with scripted_openai() as running:
        yield running


async def check(
    server: ScriptedOpenAi, monkeypatch: pytest.MonkeyPatch, *replies: Reply, options: tuple[str, ...] = ()
) -> Result:
    server.script("probe", *replies)
    monkeypatch.setenv("AGENTS_FILE", str(ROOT / "config" / "agents.yaml"))
    monkeypatch.setenv("LLM_BASE_URL", f"{server.url}/v1")
    monkeypatch.setenv("LLM_MODEL", "scripted")
    return await asyncio.to_thread(CliRunner().invoke, create_cli(), ["models", "check", *options])


async def test_a_model_that_follows_the_schema_is_well(server: ScriptedOpenAi, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = await check(server, monkeypatch, RIGHT, RIGHT, options=("--policy", "fail"))
    assert ran.exit_code == 0
    assert [line.split()[:2] for line in ran.output.splitlines()] == [
        ["ok", "understanding:"], ["ok", "sql:"], ["off", "verifier"], ["off", "explanation"],
    ]  # fmt: skip


@pytest.mark.parametrize(
    "reply",
    [
        Fails(status=401), says("no json"), says({"echo": "ready"}), says("", refusal="no"),
        says({"echo": "ready", "total": 11, "parts": [2, 3, 5]}),
    ],
    ids=["a wrong key", "no json", "half an object", "a refusal", "a wrong sum"],
)  # fmt: skip
async def test_a_fault_is_told_and_fails_only_where_the_policy_says_so(
    server: ScriptedOpenAi, monkeypatch: pytest.MonkeyPatch, reply: Reply
) -> None:
    warned = await check(server, monkeypatch, reply, RIGHT)
    assert warned.exit_code == 0
    assert "FAIL  understanding" in warned.output
    assert (await check(server, monkeypatch, reply, RIGHT, options=("--policy", "fail"))).exit_code == 1


@pytest.mark.parametrize(("listed", "said"), [(["scripted-2"], "did you mean 'scripted-2'?"), (["gpt"], "no model")])
async def test_a_model_that_the_endpoint_does_not_list_is_a_fault_before_anything_is_asked(
    server: ScriptedOpenAi, monkeypatch: pytest.MonkeyPatch, listed: list[str], said: str
) -> None:
    server.models = listed
    ran = await check(server, monkeypatch, options=("--policy", "fail"))
    assert ran.exit_code == 1
    assert "the endpoint has no model 'scripted'" in ran.output
    assert said in ran.output
    assert server.requests == []


@pytest.mark.parametrize("listed", [[], ["scripted:latest"]], ids=["no list", "with a tag"])
async def test_a_model_is_probed_where_nothing_speaks_against_it(
    server: ScriptedOpenAi, monkeypatch: pytest.MonkeyPatch, listed: list[str]
) -> None:
    server.models = listed
    ran = await check(server, monkeypatch, RIGHT, RIGHT, options=("--policy", "fail"))
    assert (ran.exit_code, len(server.requests)) == (0, 2)
