"""The `Model` port over an OpenAI-compatible chat endpoint."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from random import uniform

import httpx
import structlog
from langchain_core.messages import BaseMessage
from langchain_openai import AzureChatOpenAI, ChatOpenAI
from langsmith import tracing_context

from adapters.breaker import CircuitBreaker
from adapters.models.openai.answer import read_answer
from adapters.models.openai.chat import create_chat, messages_of, response_format
from adapters.models.openai.failures import RAISED, ModelNotUsable, model_error
from adapters.models.openai.profile import ModelProfile
from agent.errors import ModelError, ModelRateLimited, ModelTimeout, ModelUnavailable
from agent.values.completion import Completion, Prompt
from agent.values.usage import NO_USAGE, added

log = structlog.get_logger()

_FIRST_WAIT = 0.5
Sleep = Callable[[float], Awaitable[None]]


class OpenAiModel:
    """Implements `Model`. Timeouts, outages and rate limits are tried again, with growing waits or the one asked for.

    A wait longer than the profile allows is not waited for: the error says how long it would be.
    """

    def __init__(
        self,
        profile: ModelProfile,
        breaker: CircuitBreaker | None = None,
        sleep: Sleep = asyncio.sleep,
        *,
        traced: bool = False,
    ) -> None:
        """`traced` lets LangSmith's library trace calls with their content, where its own variables ask for it."""
        self._profile = profile
        self._breaker = breaker or CircuitBreaker(profile.open_after, profile.rest_seconds)
        self._sleep = sleep
        self._traced = traced
        self._http: httpx.AsyncClient | None = None
        self._chat: ChatOpenAI | AzureChatOpenAI | None = None

    @property
    def prompt_tokens(self) -> int:
        """What the context leaves beside the answer."""
        return max(0, self._profile.context_tokens - self._profile.output_tokens)

    async def complete(self, prompt: Prompt) -> Completion:
        """The model's object; see `Model`. Neither the prompt nor the answer is logged."""
        spent = NO_USAGE
        for attempt in range(self._profile.retries + 1):
            try:
                completion = await self._guarded(prompt)
            except (ModelTimeout, ModelUnavailable, ModelRateLimited) as error:
                spent = added(spent, error.usage)
                wait = self._wait(error, attempt)
                log.warning("model_failed", agent=prompt.agent, code=error.code, attempt=attempt + 1)
                if wait is None:
                    error.usage = spent
                    raise
                await self._sleep(wait)
            else:
                return replace(completion, usage=added(spent, completion.usage))
        raise AssertionError("the last attempt returns or raises")

    async def close(self) -> None:
        """Give up all connections."""
        if self._http is not None:
            await self._http.aclose()
        self._http = self._chat = None

    def _wait(self, error: ModelError, attempt: int) -> float | None:
        """Seconds until the next attempt; None when there is none."""
        last = attempt >= self._profile.retries
        if last or isinstance(error, (ModelNotUsable, ModelResting)):
            return None
        if isinstance(error, ModelRateLimited) and error.retry_after is not None:
            return error.retry_after if error.retry_after <= self._profile.longest_wait_seconds else None
        growing = _FIRST_WAIT * float(2**attempt) * uniform(0.8, 1.2)  # noqa: S311  # spreads callers, hides nothing
        return min(growing, self._profile.longest_wait_seconds)

    async def _guarded(self, prompt: Prompt) -> Completion:
        if not self._breaker.allows():
            raise ModelResting(f"{prompt.agent}: left alone after repeated failures")
        try:
            completion = await self._once(prompt)
        except (ModelTimeout, ModelUnavailable):
            self._breaker.failed()
            raise
        except ModelError:
            self._breaker.succeeded()
            raise
        self._breaker.succeeded()
        return completion

    async def _once(self, prompt: Prompt) -> Completion:
        try:
            async with asyncio.timeout(self._profile.timeout_seconds):
                # An environment that traces every chain would send questions and rows to a third party.
                with tracing_context(enabled=self._traced):
                    message = await self._asked(prompt)
        except RAISED as error:
            raise model_error(error, prompt.agent) from None
        return read_answer(message, prompt.agent)

    async def _asked(self, prompt: Prompt) -> BaseMessage:
        chat, messages = self._client(), messages_of(prompt, self._profile)
        extra = response_format(prompt, self._profile)
        if not self._profile.stream:
            return await chat.ainvoke(messages, extra_body=extra)
        parts = [part async for part in chat.astream(messages, extra_body=extra)]
        whole = parts[0]
        for part in parts[1:]:
            whole = whole + part
        return whole

    def _client(self) -> ChatOpenAI | AzureChatOpenAI:
        if self._chat is None:
            self._http = httpx.AsyncClient(timeout=self._profile.timeout_seconds)
            self._chat = create_chat(self._profile, self._http)
        return self._chat


class ModelResting(ModelUnavailable):
    """The endpoint failed so often that it is left alone for a while; no request was made."""

    code = "model_resting"
