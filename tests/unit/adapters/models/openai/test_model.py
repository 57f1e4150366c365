import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from adapters.breaker import CircuitBreaker
from adapters.models.openai.failures import ModelNotUsable
from adapters.models.openai.model import ModelResting, OpenAiModel
from adapters.models.openai.profile import ModelProfile
from agent.errors import (
    ModelError,
    ModelMalformed,
    ModelRateLimited,
    ModelRefused,
    ModelTimeout,
    ModelUnavailable,
)
from agent.values.completion import Prompt
from tests.fakes.openai.replies import Fails, Hangs, Reply, says
from tests.fakes.openai.server import ANY, ScriptedOpenAi, scripted_openai

SECRET_WORDS = "how much did ACME lose"
PROMPT = Prompt(
    agent="understanding",
    rules="Answer with one object.",
    material=SECRET_WORDS,
    name="meaning",
    schema={"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]},
)
FINE = says({"ok": True}, tokens_in=7, tokens_out=3)


@pytest.fixture
async def server() -> AsyncIterator[ScriptedOpenAi]:
    async with scripted_openai() as running:
        yield running


class Waits:
    """Sleeps that take no time and are written down."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def profile(server: ScriptedOpenAi, **changes: Any) -> ModelProfile:
    given = {"base_url": f"{server.url}/v1", "api_key": "sk-1", "timeout_seconds": 5.0, "retries": 2, **changes}
    return ModelProfile(agent="understanding", model="scripted", **given)


@asynccontextmanager
async def opened(model: OpenAiModel) -> AsyncIterator[OpenAiModel]:
    try:
        yield model
    finally:
        await model.close()


@asynccontextmanager
async def model_of(server: ScriptedOpenAi, waits: Waits | None = None, **changes: Any) -> AsyncIterator[OpenAiModel]:
    async with opened(OpenAiModel(profile(server, **changes), sleep=waits or Waits())) as model:
        yield model


async def failing(server: ScriptedOpenAi, *replies: Reply, waits: Waits | None = None, **changes: Any) -> ModelError:
    """The error that these replies lead to."""
    server.script("meaning", *replies)
    async with model_of(server, waits, **changes) as model:
        with pytest.raises(ModelError) as raised:
            await model.complete(PROMPT)
    return raised.value


async def test_the_answers_object_comes_back_with_what_it_cost(server: ScriptedOpenAi) -> None:
    server.script("meaning", FINE)
    async with model_of(server) as model:
        completion = await model.complete(PROMPT)
    assert completion.content == {"ok": True}
    assert (completion.usage.llm_calls, completion.usage.tokens_in, completion.usage.tokens_out) == (1, 7, 3)


async def test_rules_and_material_are_told_apart_and_the_schema_is_sent(server: ScriptedOpenAi) -> None:
    server.script("meaning", FINE)
    async with model_of(server, reasoning="low", temperature=None, output_tokens=321) as model:
        await model.complete(PROMPT)
    body = server.requests[0]
    assert [(m["role"], m["content"]) for m in body["messages"]] == [
        ("system", "Answer with one object."),
        ("user", SECRET_WORDS),
    ]
    assert body["response_format"]["json_schema"]["schema"] == PROMPT.schema
    assert body["reasoning_effort"] == "low"
    assert body["max_completion_tokens"] == 321
    assert "temperature" not in body
    assert server.headers[0]["Authorization"] == "Bearer sk-1"


async def test_an_endpoint_without_schemas_is_told_in_words(server: ScriptedOpenAi) -> None:
    server.script(ANY, says('```json\n{"ok": true}\n```'))
    async with model_of(server, structured="json_object", provider="ollama") as model:
        completion = await model.complete(PROMPT)
    assert completion.content == {"ok": True}
    assert server.requests[0]["response_format"] == {"type": "json_object"}
    assert json.dumps(PROMPT.schema) in server.requests[0]["messages"][0]["content"]


async def test_azure_is_reached_by_deployment_and_version(server: ScriptedOpenAi) -> None:
    server.script("meaning", FINE)
    async with model_of(server, provider="azure", base_url=server.url, api_version="2025-03-01") as model:
        await model.complete(PROMPT)
    assert server.paths == ["/openai/deployments/scripted/chat/completions?api-version=2025-03-01"]
    assert server.headers[0]["api-key"] == "sk-1"


@pytest.mark.parametrize(
    "text",
    ['{"ok": true}', '```json\n{"ok": true}\n```', '<think>{"no": 1}</think>{"ok": true}', 'Here: {"ok": true} Done.'],
    ids=["bare", "fenced", "thought first", "words around"],
)
async def test_an_object_is_found_in_its_wrapping(server: ScriptedOpenAi, text: str) -> None:
    server.script("meaning", says(text))
    async with model_of(server) as model:
        assert (await model.complete(PROMPT)).content == {"ok": True}


async def test_a_stream_is_put_together(server: ScriptedOpenAi) -> None:
    server.script("meaning", FINE)
    async with model_of(server, stream=True) as model:
        completion = await model.complete(PROMPT)
    assert completion.content == {"ok": True}
    assert completion.usage.tokens_in == 7
    assert server.requests[0]["stream"] is True


@pytest.mark.parametrize("parts", [0, 1, 2])
async def test_half_a_stream_is_never_an_answer(server: ScriptedOpenAi, parts: int) -> None:
    broken = says({"ok": True, "more": "words"}, cut_after=parts)
    error = await failing(server, broken, stream=True, retries=0)
    assert isinstance(error, ModelUnavailable)


async def test_half_a_body_is_asked_for_again(server: ScriptedOpenAi) -> None:
    server.script("meaning", says({"ok": True}, cut_after=30), FINE)
    async with model_of(server) as model:
        assert (await model.complete(PROMPT)).content == {"ok": True}


async def test_a_rate_limit_is_waited_for_as_long_as_was_asked(server: ScriptedOpenAi) -> None:
    waits = Waits()
    server.script("meaning", Fails(status=429, headers={"Retry-After": "7"}), FINE)
    async with model_of(server, waits) as model:
        await model.complete(PROMPT)
    assert waits.seconds == [7.0]


async def test_a_wait_that_is_too_long_is_said_and_not_waited_for(server: ScriptedOpenAi) -> None:
    waits = Waits()
    error = await failing(server, Fails(status=429, headers={"Retry-After": "600"}), waits=waits)
    assert isinstance(error, ModelRateLimited)
    assert error.retry_after == 600
    assert waits.seconds == []


async def test_an_outage_is_tried_again_with_growing_waits(server: ScriptedOpenAi) -> None:
    waits = Waits()
    server.script("meaning", Fails(status=500), Fails(status=503, raw="<html>"), FINE)
    async with model_of(server, waits) as model:
        await model.complete(PROMPT)
    assert len(waits.seconds) == 2
    assert waits.seconds[1] > waits.seconds[0]


async def test_an_outage_that_stays_is_unavailable(server: ScriptedOpenAi) -> None:
    error = await failing(server, *[Fails(status=500)] * 3)
    assert type(error) is ModelUnavailable
    assert len(server.requests) == 3


async def test_nobody_listening_is_unavailable(server: ScriptedOpenAi) -> None:
    error = await failing(server, base_url="http://127.0.0.1:9/v1", retries=0)
    assert type(error) is ModelUnavailable


async def test_a_wrong_key_is_not_tried_twice(server: ScriptedOpenAi) -> None:
    error = await failing(server, Fails(status=401))
    assert isinstance(error, ModelNotUsable)
    assert len(server.requests) == 1


async def test_silence_is_a_timeout(server: ScriptedOpenAi) -> None:
    error = await failing(server, Hangs(), timeout_seconds=0.2, retries=0)
    assert isinstance(error, ModelTimeout)


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (says("", refusal="I cannot"), ModelRefused),
        (says({"ok": True}, finish="content_filter"), ModelRefused),
        (Fails(status=400, code="content_filter"), ModelRefused),
        (says({"ok": True}, finish="length"), ModelMalformed),
        (says("words"), ModelMalformed),
        (says('{"ok": tr'), ModelMalformed),
        (says("[1, 2]"), ModelMalformed),
        (Fails(status=200, raw="<html>a proxy's login page</html>"), ModelMalformed),
        (Fails(status=200, raw="{}"), ModelMalformed),
    ],
)
async def test_what_is_no_usable_answer_is_named(server: ScriptedOpenAi, reply: Reply, kind: type[ModelError]) -> None:
    assert type(await failing(server, reply)) is kind


async def test_an_unusable_answer_still_costs(server: ScriptedOpenAi) -> None:
    error = await failing(server, says("words", tokens_in=50, tokens_out=9))
    assert (error.usage.llm_calls, error.usage.tokens_in) == (1, 50)


async def test_an_endpoint_that_keeps_failing_is_left_alone_and_then_tried_once(server: ScriptedOpenAi) -> None:
    now = [0.0]
    breaker = CircuitBreaker(open_after=2, rest_seconds=30, clock=lambda: now[0])
    server.script("meaning", Fails(status=500), Fails(status=500), Fails(status=500), FINE)
    async with opened(OpenAiModel(profile(server, retries=0), breaker, Waits())) as model:
        for _ in range(2):
            with pytest.raises(ModelUnavailable):
                await model.complete(PROMPT)
        with pytest.raises(ModelResting):
            await model.complete(PROMPT)
        assert len(server.requests) == 2
        now[0] = 31
        with pytest.raises(ModelUnavailable):
            await model.complete(PROMPT)
        with pytest.raises(ModelResting):
            await model.complete(PROMPT)
        now[0] = 62
        await model.complete(PROMPT)
        server.script("meaning", FINE)
        await model.complete(PROMPT)


async def test_a_refusal_is_no_outage(server: ScriptedOpenAi) -> None:
    breaker = CircuitBreaker(open_after=1, rest_seconds=30)
    server.script("meaning", says("", refusal="no"), FINE)
    async with opened(OpenAiModel(profile(server), breaker, Waits())) as model:
        with pytest.raises(ModelRefused):
            await model.complete(PROMPT)
        await model.complete(PROMPT)


async def test_neither_prompts_nor_keys_nor_answers_reach_a_log(
    server: ScriptedOpenAi, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    server.script("meaning", Fails(status=500), says({"ok": True, "said": "a secret answer"}))
    async with model_of(server) as model:
        await model.complete(PROMPT)
    written = caplog.text + "".join(capsys.readouterr())
    assert [text for text in (SECRET_WORDS, "sk-1", "a secret answer") if text in written] == []


async def test_no_environment_sends_prompts_to_a_tracing_service(
    server: ScriptedOpenAi, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    monkeypatch.setenv("LANGSMITH_ENDPOINT", f"{server.url}/traces")
    monkeypatch.setenv("LANGSMITH_API_KEY", "key")
    server.script("meaning", FINE)
    async with model_of(server) as model:
        await model.complete(PROMPT)
    await asyncio.sleep(0)
    assert server.paths == ["/v1/chat/completions"]


def test_a_profile_never_shows_its_key() -> None:
    assert "sk-1" not in repr(ModelProfile(agent="sql", model="m", api_key="sk-1"))
