"""A language model that hangs, fails, or reads the question: as it happens."""

import asyncio
import json
import random
import re
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

from tests.fakes.openai.replies import meaning
from tests.fakes.slack.server import serving

AGENTS = """\
defaults: {{provider: openai, base_url: "{url}/v1", model: fickle, structured: json_object, preset: short}}
presets:
  short: {{context_tokens: 32000, output_tokens: 2000, reasoning: none, temperature: 0, timeout_seconds: 2, retries: 0}}
"""
HANGS_SECONDS = 10.0
_READABLE = re.compile(r"authorisations per sales avenue on (\d+ \w+ \d{4})")


class FickleModel:
    """`happened` counts how it answered. `is_well` ends hanging and failing; what makes no sense fails all the same."""

    def __init__(self, chance: random.Random) -> None:
        self.happened: Counter[str] = Counter()
        self.is_well = False
        self._chance = chance

    def app(self) -> web.Application:
        """What is served."""
        app = web.Application(client_max_size=10_000_000)
        app.router.add_post("/v1/chat/completions", self._complete)
        return app

    async def _complete(self, request: web.Request) -> web.Response:
        asked = _READABLE.findall((await request.json())["messages"][-1]["content"])
        mood = "reads" if self.is_well else self._chance.choice(("reads", "reads", "hangs", "fails"))
        if mood == "hangs":
            self.happened["model hung"] += 1
            await asyncio.sleep(HANGS_SECONDS)
        if mood == "reads" and asked:
            self.happened["model answered"] += 1
            return web.json_response(_said(asked[-1]))
        self.happened["model failed"] += mood == "fails" or not asked
        return web.json_response({"error": {"message": "no"}}, status=self._chance.choice((429, 500, 503)))


def _said(day: str) -> dict[str, object]:
    told = meaning(metrics=["approval_rate"], dimensions=["channel"], period=day)
    message = {"role": "assistant", "content": json.dumps(told), "refusal": None}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_790_000_000,
        "model": "fickle",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    }


@asynccontextmanager
async def fickle_model(chance: random.Random) -> AsyncIterator[tuple[FickleModel, str]]:
    """The model and its address."""
    model = FickleModel(chance)
    async with serving(model.app()) as url:
        yield model, url
